// What is said before a language is loaded, which may be as impossible as everything else: the service is away.

import { primaryOf } from './use-text.js';

interface EntryTexts {
  readonly loading: string;
  readonly unreachable: string;
  readonly unreachableHint: string;
  readonly retry: string;
}

const english: EntryTexts = {
  loading: 'Loading…',
  unreachable: 'The service cannot be reached.',
  unreachableHint: 'Studio tries again by itself. Nothing you typed is lost.',
  retry: 'Try again',
};

const others: Readonly<Record<string, EntryTexts>> = {
  de: {
    loading: 'Lädt …',
    unreachable: 'Der Dienst ist nicht erreichbar.',
    unreachableHint: 'Studio versucht es von selbst wieder. Nichts Eingegebenes geht verloren.',
    retry: 'Erneut versuchen',
  },
  fr: {
    loading: 'Chargement…',
    unreachable: 'Le service est injoignable.',
    unreachableHint: 'Studio réessaie tout seul. Rien de ce que vous avez saisi n’est perdu.',
    retry: 'Réessayer',
  },
  es: {
    loading: 'Cargando…',
    unreachable: 'No se puede acceder al servicio.',
    unreachableHint: 'Studio lo vuelve a intentar por sí solo. No se pierde nada de lo que ha escrito.',
    retry: 'Reintentar',
  },
  ja: {
    loading: '読み込み中…',
    unreachable: 'サービスに接続できません。',
    unreachableHint: 'Studio は自動的に再試行します。入力した内容は失われません。',
    retry: '再試行',
  },
  ar: {
    loading: 'جارٍ التحميل…',
    unreachable: 'تعذّر الوصول إلى الخدمة.',
    unreachableHint: 'يعيد Studio المحاولة تلقائيًا، ولن يضيع شيء ممّا كتبته.',
    retry: 'إعادة المحاولة',
  },
};

export const entryTexts = (tag: string): EntryTexts => others[primaryOf(tag)] ?? english;
