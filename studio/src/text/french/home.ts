// The French texts of the first screen.

import type { homeEnglish } from '../english/home.js';

export const homeFrench: typeof homeEnglish = {
  recentlyEdited: 'Modifiés récemment par vous',
  ownDrafts: 'Vos brouillons dans ce navigateur',
  firstSteps: 'Premiers pas',
  firstStepsHint: 'Ce projet est vide. Les tables qu’un autre programme crée dans la base apparaissent ici d’elles-mêmes.',
  stepModel: 'Créer une collection',
  stepModelHint: 'Une table et ses champs : sa liste, son formulaire et son API sont là aussitôt.',
  stepPeople: 'Inviter des personnes',
  stepPeopleHint: 'Elles reçoivent un e-mail et choisissent un mot de passe.',
  stepAccess: 'Décider qui peut faire quoi',
  stepAccessHint: 'Les politiques ouvrent collections, éléments et champs à des rôles et à des personnes.',
  stepSettings: 'Nommer le projet',
  stepSettingsHint: 'Son nom, sa couleur et sa langue.',
};
