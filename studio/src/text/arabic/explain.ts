// The texts of "Explain this list" in Arabic.

import type { ExplainMessages } from '../english/explain.js';
import { countedOf, name, quote } from './words.js';

export const explainArabic: ExplainMessages = {
  title: (list) => `كيف تُقرأ ${quote(list)}`,
  asking: 'جارٍ سؤال قاعدة البيانات…',
  scan: 'مسح',
  search: 'بحث',
  readsAll: (rows, collection) => `تقرأ كل صفوف ${name(collection)} (${rows})`,
  readsAllUnknown: (collection) => `تقرأ كل صفوف ${name(collection)}`,
  readsFirst: (rows, collection) => `تقرأ من بداية ${name(collection)} ما عدده ${countedOf(rows, 'row')}`,
  readsInOrder: (collection, index) => `تقرأ ${name(collection)} بترتيب الفهرس ${name(index)}`,
  finds: (collection, index) => `تجد صفوف ${name(collection)} عبر الفهرس ${name(index)}`,
  findsByKey: (collection) => `تجد صفوف ${name(collection)} عبر مفتاحها`,
  noIndex: (fields) => `لا فهرس على ${name(fields)}`,
  sorts: 'ترتّب ما وجدته قبل أن تجيب',
  suggestion: (collection, fields) => `فهرس على ${name(fields)} في ${name(collection)} يجد هذه الصفوف مباشرةً.`,
  cost: 'يشغل الفهرس مساحة ويبطئ الكتابة قليلًا.',
  add: 'إضافة هذا الفهرس…',
  fine: 'لا ينقص أي فهرس.',
  better: (before, now) => `تغيّرت الخطة. قبل: ${name(before)}. الآن: ${name(now)}.`,
  statement: 'العبارة',
  rawPlan: 'خطة قاعدة البيانات',
};
