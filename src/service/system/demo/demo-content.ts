// Reviews, pages and the shop of the demo.

export interface DemoReview {
  readonly book: string;
  readonly reader: string;
  readonly rating: number;
  readonly comment: string | null;
}

const review = (book: string, reader: string, rating: number, comment: string | null): DemoReview => ({ book, reader, rating, comment });

export const demoReviews: readonly DemoReview[] = [
  review('Pride and Prejudice', 'Ines', 5, 'The first proposal alone is worth it.'),
  review('Pride and Prejudice', 'Tom', 4, 'Funnier than I was told at school.'),
  review('Emma', 'Ines', 4, null),
  review('Frankenstein', 'Tom', 5, 'The creature has the best lines.'),
  review('Frankenstein', 'Marta', 4, 'Not at all like the films.'),
  review('Bleak House', 'Jonas', 5, 'The fog!'),
  review('Great Expectations', 'Marta', 4, null),
  review('Jane Eyre', 'Ines', 5, 'Reader, I read it twice.'),
  review('Moby-Dick', 'Jonas', 5, 'I know a great deal about whales now.'),
  review('Moby-Dick', 'Tom', 2, 'I know too much about whales now.'),
  review('War and Peace', 'Marta', 5, 'Keep the list of names at hand.'),
  review('Anna Karenina', 'Ines', 5, null),
  review('Twenty Thousand Leagues Under the Seas', 'Jonas', 4, 'Skip the lists of fish, or do not.'),
  review('Around the World in Eighty Days', 'Lea', 5, 'Read aloud in four evenings.'),
  review('The Wonderful Adventures of Nils', 'Lea', 5, 'We looked up every place on the map.'),
  review('The Time Machine', 'Tom', 4, null),
  review('The War of the Worlds', 'Jonas', 4, 'Woking has never been the same.'),
  review('Mrs Dalloway', 'Marta', 5, 'Best read in one day in June.'),
  review('To the Lighthouse', 'Marta', 5, null),
  review('Orlando', 'Lea', 4, 'The frost fair!'),
];

/** `kind` is the collection of the block; a book is named by its title. */
export type DemoBlock =
  | { readonly kind: 'block_texts'; readonly heading: string; readonly body: string }
  | { readonly kind: 'block_quotes'; readonly quote: string; readonly source: string }
  | { readonly kind: 'books'; readonly title: string };

export interface DemoPage {
  readonly title: string;
  readonly slug: string;
  readonly blocks: readonly DemoBlock[];
}

export const demoPages: readonly DemoPage[] = [
  {
    title: 'Welcome',
    slug: 'welcome',
    blocks: [
      { kind: 'block_texts', heading: 'Come in', body: 'Twenty-five books, ten authors, one cat. The kettle is on.' },
      { kind: 'books', title: 'Moby-Dick' },
      { kind: 'block_quotes', quote: 'Call me Ishmael.', source: 'Moby-Dick' },
    ],
  },
  {
    title: 'By the sea',
    slug: 'by-the-sea',
    blocks: [
      { kind: 'block_texts', heading: 'Salt on the pages', body: 'Three books to take to the beach.' },
      { kind: 'books', title: 'Twenty Thousand Leagues Under the Seas' },
      { kind: 'books', title: 'To the Lighthouse' },
      { kind: 'books', title: 'Typee' },
    ],
  },
];

export const demoShop = {
  name: 'The Silvered Page',
  motto: 'Books that look back at you',
  street: '12 Mirror Lane',
  city: 'Harbourtown',
  opening_hours: {
    monday: null,
    tuesday: '10-18',
    wednesday: '10-18',
    thursday: '10-20',
    friday: '10-18',
    saturday: '10-16',
    sunday: null,
  },
} as const;
