// Counts in sentences, with the separators of the language that the sentence is in: what lists count may be large.

export const groupedIn = (tag: string): ((count: number) => string) => {
  const format = new Intl.NumberFormat(tag);
  return (count) => format.format(count);
};
