// Books of the demo with their authors and tags.

export interface DemoAuthor {
  readonly name: string;
  readonly country: string;
  readonly born: number;
  readonly died: number;
  readonly biography: string;
}

export interface DemoBook {
  readonly title: string;
  readonly author: string;
  readonly published: number;
  readonly pages: number;
  readonly price: string;
  readonly tags: readonly string[];
  readonly summary: string;
}

const author = (name: string, country: string, born: number, died: number, biography: string): DemoAuthor => ({
  name,
  country,
  born,
  died,
  biography,
});

export const demoAuthors: readonly DemoAuthor[] = [
  author('Jane Austen', 'England', 1775, 1817, 'Six novels about love, money and manners, published without her name.'),
  author('Mary Shelley', 'England', 1797, 1851, 'Began Frankenstein at eighteen, in the summer that never came.'),
  author('Charles Dickens', 'England', 1812, 1870, 'Wrote in instalments and kept a whole country waiting for the next one.'),
  author('Charlotte Brontë', 'England', 1816, 1855, 'Published as Currer Bell, with her sisters Ellis and Acton.'),
  author('Herman Melville', 'United States', 1819, 1891, 'Went to sea on a whaler and came back with a book.'),
  author('Leo Tolstoy', 'Russia', 1828, 1910, 'Count, officer, teacher, and author of very long novels.'),
  author('Jules Verne', 'France', 1828, 1905, 'Sent his readers under the sea, round the world and to the moon.'),
  author('Selma Lagerlöf', 'Sweden', 1858, 1940, 'The first woman to receive the Nobel Prize in Literature, in 1909.'),
  author('H. G. Wells', 'England', 1866, 1946, 'Gave science fiction its time machine, its invisible man and its Martians.'),
  author('Virginia Woolf', 'England', 1882, 1941, 'Printed her own books at the Hogarth Press.'),
];

const book = (
  title: string,
  by: string,
  published: number,
  pages: number,
  price: string,
  tags: readonly string[],
  summary: string,
): DemoBook => ({
  title,
  author: by,
  published,
  pages,
  price,
  tags,
  summary,
});

export const demoBooks: readonly DemoBook[] = [
  book(
    'Pride and Prejudice',
    'Jane Austen',
    1813,
    432,
    '9.90',
    ['classic', 'love'],
    'Elizabeth Bennet and Mr Darcy misjudge each other thoroughly.',
  ),
  book('Emma', 'Jane Austen', 1815, 474, '9.90', ['classic', 'love'], 'A matchmaker who is wrong about everybody, herself included.'),
  book('Persuasion', 'Jane Austen', 1817, 249, '8.50', ['classic', 'love'], 'A second chance, eight years later.'),
  book(
    'Frankenstein',
    'Mary Shelley',
    1818,
    280,
    '8.90',
    ['classic', 'science fiction', 'horror'],
    'A student makes a creature and will not stand by it.',
  ),
  book(
    'The Last Man',
    'Mary Shelley',
    1826,
    479,
    '12.00',
    ['science fiction'],
    'A plague empties the world of the late twenty-first century.',
  ),
  book(
    'Bleak House',
    'Charles Dickens',
    1853,
    1017,
    '14.50',
    ['classic', 'society'],
    'A lawsuit that outlives those who wait for its end.',
  ),
  book(
    'A Tale of Two Cities',
    'Charles Dickens',
    1859,
    448,
    '9.90',
    ['classic', 'history'],
    'London and Paris in the years of the Revolution.',
  ),
  book(
    'Great Expectations',
    'Charles Dickens',
    1861,
    544,
    '10.90',
    ['classic', 'society'],
    'An orphan comes into money and does not know from whom.',
  ),
  book('Jane Eyre', 'Charlotte Brontë', 1847, 532, '9.90', ['classic', 'love'], 'A governess, a house, and somebody in the attic.'),
  book('Villette', 'Charlotte Brontë', 1853, 555, '11.50', ['classic'], 'Lucy Snowe teaches abroad and tells less than she knows.'),
  book('Typee', 'Herman Melville', 1846, 340, '10.00', ['adventure', 'sea'], 'A sailor deserts his ship in the Marquesas.'),
  book('Moby-Dick', 'Herman Melville', 1851, 635, '13.90', ['classic', 'adventure', 'sea'], 'A captain hunts the whale that took his leg.'),
  book('War and Peace', 'Leo Tolstoy', 1869, 1225, '19.90', ['classic', 'history', 'society'], 'Five families and Napoleon.'),
  book(
    'Anna Karenina',
    'Leo Tolstoy',
    1878,
    864,
    '15.90',
    ['classic', 'love', 'society'],
    'Two marriages, and what they ask of those in them.',
  ),
  book(
    'Journey to the Centre of the Earth',
    'Jules Verne',
    1864,
    240,
    '8.90',
    ['adventure', 'science fiction'],
    'Down an Icelandic volcano with an impatient professor.',
  ),
  book(
    'Twenty Thousand Leagues Under the Seas',
    'Jules Verne',
    1870,
    394,
    '10.90',
    ['adventure', 'science fiction', 'sea'],
    'Prisoners of Captain Nemo aboard the Nautilus.',
  ),
  book('Around the World in Eighty Days', 'Jules Verne', 1873, 252, '8.90', ['adventure'], 'A bet, a valet and a very exact timetable.'),
  book("Gösta Berling's Saga", 'Selma Lagerlöf', 1891, 416, '12.90', ['classic'], 'A dismissed priest among the cavaliers of Ekeby.'),
  book(
    'The Wonderful Adventures of Nils',
    'Selma Lagerlöf',
    1906,
    542,
    '14.90',
    ['adventure', 'children'],
    'A boy turned small crosses Sweden on the back of a goose.',
  ),
  book('The Time Machine', 'H. G. Wells', 1895, 118, '6.90', ['science fiction'], 'To the year 802,701 and back for dinner.'),
  book('The Invisible Man', 'H. G. Wells', 1897, 176, '7.50', ['science fiction', 'horror'], 'A discovery that its maker cannot undo.'),
  book('The War of the Worlds', 'H. G. Wells', 1898, 192, '7.90', ['science fiction', 'horror'], 'Cylinders fall on Surrey.'),
  book('Mrs Dalloway', 'Virginia Woolf', 1925, 194, '8.90', ['modernism', 'society'], 'One day in London, and a party in the evening.'),
  book('To the Lighthouse', 'Virginia Woolf', 1927, 209, '8.90', ['modernism', 'sea'], 'A boat trip put off for ten years.'),
  book('Orlando', 'Virginia Woolf', 1928, 333, '9.50', ['modernism', 'history'], 'Three centuries in the life of one person.'),
];
