// What Arabic sentences are made of: numbers with their noun, and names of any script that leave the order of the sentence alone.

interface Noun {
  readonly one: string;
  readonly two: string;
  /** After a noun or a preposition. */
  readonly twoOf: string;
  readonly few: string;
  readonly many: string;
  readonly other: string;
}

const masculine = (singular: string, plural: string): Noun => ({
  one: `${singular} واحد`,
  two: `${singular}ان`,
  twoOf: `${singular}ين`,
  few: plural,
  many: `${singular}ًا`,
  other: singular,
});

/** Of nouns that end in ة, which duals write as ت. */
const feminine = (singular: string, plural: string): Noun => ({
  one: `${singular} واحدة`,
  two: `${singular.slice(0, -1)}تان`,
  twoOf: `${singular.slice(0, -1)}تين`,
  few: plural,
  many: singular,
  other: singular,
});

const nouns = {
  card: feminine('بطاقة', 'بطاقات'),
  cell: feminine('خلية', 'خلايا'),
  change: masculine('تغيير', 'تغييرات'),
  character: masculine('حرف', 'أحرف'),
  collection: feminine('مجموعة', 'مجموعات'),
  day: { ...masculine('يوم', 'أيام'), one: 'يوم واحد' },
  field: masculine('حقل', 'حقول'),
  file: masculine('ملف', 'ملفات'),
  invitation: feminine('دعوة', 'دعوات'),
  item: masculine('عنصر', 'عناصر'),
  level: { ...masculine('مستوى', 'مستويات'), two: 'مستويان', twoOf: 'مستويين', many: 'مستوى' },
  passkey: {
    one: 'مفتاح مرور واحد',
    two: 'مفتاحا مرور',
    twoOf: 'مفتاحي مرور',
    few: 'مفاتيح مرور',
    many: 'مفتاح مرور',
    other: 'مفتاح مرور',
  },
  permission: masculine('إذن', 'أذونات'),
  person: masculine('شخص', 'أشخاص'),
  place: masculine('موضع', 'مواضع'),
  point: feminine('نقطة', 'نقاط'),
  relation: feminine('علاقة', 'علاقات'),
  row: masculine('صف', 'صفوف'),
  statement: feminine('عبارة', 'عبارات'),
  step: feminine('خطوة', 'خطوات'),
  text: masculine('نص', 'نصوص'),
  time: feminine('مرة', 'مرات'),
  value: feminine('قيمة', 'قيم'),
} satisfies Readonly<Record<string, Noun>>;

type Word = keyof typeof nouns;

const plurals = new Intl.PluralRules('ar');

/** Numbers that are formatted already have separators. */
const numberOf = (count: number | string): number => (typeof count === 'number' ? count : Number(count.replaceAll(/\D/g, '')));

function say(count: number | string, word: Word, dual: 'two' | 'twoOf'): string {
  const noun: Noun = nouns[word];
  const form = plurals.select(numberOf(count));
  if (form === 'one') return noun.one;
  if (form === 'two') return noun[dual];
  return `${count} ${form === 'zero' ? noun.other : noun[form]}`;
}

/** As a subject, or alone: «عنصران». */
export const counted = (count: number | string, word: Word): string => say(count, word, 'two');

/** After a noun or a preposition: «حذف عنصرين». */
export const countedOf = (count: number | string, word: Word): string => say(count, word, 'twoOf');

/** Between U+2068 and U+2069 a name takes its own direction, and gives none to what surrounds it. */
export const name = (text: string): string => `\u2068${text}\u2069`;

export const quote = (text: string): string => `«${name(text)}»`;
