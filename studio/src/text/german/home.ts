// Die Texte der ersten Seite auf Deutsch.

import type { homeEnglish } from '../english/home.js';

export const homeGerman: typeof homeEnglish = {
  recentlyEdited: 'Zuletzt von Ihnen bearbeitet',
  ownDrafts: 'Ihre Entwürfe in diesem Browser',
  firstSteps: 'Erste Schritte',
  firstStepsHint: 'Dieses Projekt ist leer. Tabellen, die ein anderes Programm in der Datenbank anlegt, erscheinen hier von selbst.',
  stepModel: 'Eine Sammlung anlegen',
  stepModelHint: 'Eine Tabelle mit ihren Feldern: Liste, Formular und API sind sofort da.',
  stepPeople: 'Leute einladen',
  stepPeopleHint: 'Sie bekommen eine Mail und wählen ein Passwort.',
  stepAccess: 'Bestimmen, wer was darf',
  stepAccessHint: 'Richtlinien öffnen Sammlungen, Einträge und Felder für Rollen und Leute.',
  stepSettings: 'Dem Projekt einen Namen geben',
  stepSettingsHint: 'Name, Farbe und Sprache.',
};
