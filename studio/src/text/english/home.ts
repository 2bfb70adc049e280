// The texts of the first screen.

export const homeEnglish = {
  recentlyEdited: 'Recently edited by you',
  ownDrafts: 'Your drafts in this browser',
  firstSteps: 'First steps',
  firstStepsHint: 'This project is empty. Tables that another program makes in the database appear here by themselves.',
  stepModel: 'Make a collection',
  stepModelHint: 'A table with its fields: its list, form and API are there at once.',
  stepPeople: 'Invite people',
  stepPeopleHint: 'They get a mail, and choose a password.',
  stepAccess: 'Decide who may do what',
  stepAccessHint: 'Policies open collections, items and fields to roles and people.',
  stepSettings: 'Name the project',
  stepSettingsHint: 'Its name, colour and language.',
};
