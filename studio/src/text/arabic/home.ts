// The texts of the first screen in Arabic.

import type { Messages } from '../messages.js';

export const homeArabic = {
  recentlyEdited: 'آخر ما عدّلته',
  ownDrafts: 'مسوداتك في هذا المتصفح',
  firstSteps: 'الخطوات الأولى',
  firstStepsHint: 'هذا المشروع فارغ. الجداول التي ينشئها برنامج آخر في قاعدة البيانات تظهر هنا تلقائيًا.',
  stepModel: 'إنشاء مجموعة',
  stepModelHint: 'جدول بحقوله: قائمته واستمارته وواجهته البرمجية جاهزة فورًا.',
  stepPeople: 'دعوة أشخاص',
  stepPeopleHint: 'تصلهم رسالة، ويختارون كلمة مرور.',
  stepAccess: 'تحديد من يفعل ماذا',
  stepAccessHint: 'تفتح السياسات المجموعات والعناصر والحقول للأدوار والأشخاص.',
  stepSettings: 'تسمية المشروع',
  stepSettingsHint: 'اسمه ولونه ولغته.',
} satisfies Partial<Messages>;
