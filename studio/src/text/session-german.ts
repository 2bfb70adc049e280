// Die Texte rund um die Anmeldung auf Deutsch.

import type { sessionEnglish } from './session-messages.js';

export const sessionGerman: typeof sessionEnglish = {
  sessionEnded: 'Ihre Sitzung ist zu Ende',
  sessionEndedHint: 'Melden Sie sich wieder an, um fortzufahren. Nichts Eingegebenes ist verloren.',
  signInAgain: 'Wieder anmelden',
  somebodyElse: 'Mit einem anderen Konto anmelden',
  away: 'Der Dienst antwortet nicht. Studio versucht es weiter … Nichts Eingegebenes geht verloren.',
  signInBy: (provider) => `Mit ${provider} anmelden`,
  signInByPasskey: 'Mit einem Passkey anmelden',
  passkeyRefused: 'Dieser Passkey ist hier nicht bekannt. Melden Sie sich auf anderem Weg an.',
  passkeyCancelled: 'Es wurde kein Passkey verwendet. Versuchen Sie es erneut, oder melden Sie sich auf anderem Weg an.',
  elsewhereHint: 'Melden Sie sich im anderen Fenster an. Dieses geht dann von selbst weiter.',
  signInByEmail: 'Mit E-Mail und Passwort anmelden',
  userName: 'Benutzername',
  providerRefused:
    'Diese Anmeldung ist hier nicht bekannt oder wurde nicht abgeschlossen. Versuchen Sie es erneut, oder fragen Sie eine Administratorin.',
  providerAway: 'Der Anmeldedienst ist zurzeit nicht erreichbar.',
  providerCode: 'Ihr Konto verlangt einen Einmalcode: Geben Sie ihn hier ein, und melden Sie sich erneut an.',
  setUp: 'Dieses Projekt einrichten',
  setUpHint: 'Wählen Sie, wie Sie sich als erste Administratorin oder erster Administrator anmelden.',
  projectName: 'Name des Projekts',
  optional: 'freiwillig',
  newPassword: 'Neues Passwort',
  finishSetup: 'Einrichtung abschließen',
  setupOver: 'Dieser Link zur Einrichtung gilt nicht mehr.',
  setupOverHint: 'Die Einrichtung ist abgeschlossen, oder der Link ist unvollständig. Den gültigen gibt der Dienst beim Start aus.',
  setupWaits: 'Dieser Dienst ist noch nicht eingerichtet: Öffnen Sie den Link, den er beim Start ausgegeben hat.',
  toSignIn: 'Zur Anmeldung',
  resetTitle: 'Neues Passwort wählen',
  resetHint: 'Es ersetzt das alte und beendet alle anderen Sitzungen.',
  inviteTitle: 'Willkommen: Passwort wählen',
  inviteHint: 'Damit ist Ihr Konto vollständig.',
  savePassword: 'Passwort speichern',
  passwordSet: 'Ihr Passwort ist gesetzt',
  passwordSetHint: 'Sie können sich jetzt damit anmelden.',
  linkSpent: 'Dieser Link gilt nicht mehr. Fordern Sie einen neuen an.',
  linkIncomplete: 'Dieser Link ist unvollständig: Öffnen Sie ihn noch einmal aus der E-Mail.',
  passwordWeak:
    'Dieses Passwort erfüllt die Regeln dieses Projekts nicht. Versuchen Sie ein längeres mit Buchstaben, Ziffern und anderen Zeichen.',
};
