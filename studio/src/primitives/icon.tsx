// The icons of Studio: one path each, drawn with the colour of the text. Names of the peer's icons that metadata stores map to a dot.

const paths = {
  menu: 'M4 6h16M4 12h16M4 18h16',
  close: 'M6 6l12 12M18 6L6 18',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM20 20l-4-4',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  fit: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  diagram: 'M4 4h7v5H4zM13 15h7v5h-7zM7.5 9v8.5H13',
  filter: 'M4 6h16M7 12h10M10 18h4',
  sort: 'M8 5v14M4 15l4 4 4-4M16 19V5M12 9l4-4 4 4',
  up: 'M12 19V5M6 11l6-6 6 6',
  down: 'M12 5v14M6 13l6 6 6-6',
  back: 'M15 5l-7 7 7 7',
  eye: 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  user: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4 21c0-4 4-6 8-6s8 2 8 6',
  key: 'M14 4a5 5 0 1 0 3 9 5 5 0 0 0-3-9zM10.5 12.5L4 19v2h4v-2h2v-2l2-2M15 8.5h.01',
  home: 'M4 11l8-7 8 7v9h-5v-6H9v6H4z',
  table: 'M4 5h16v14H4zM4 10h16M10 10v9',
  folder: 'M3 6h6l2 3h10v10H3z',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13',
  edit: 'M4 20l1-5L16 4l4 4L9 19zM14 6l4 4',
  undo: 'M8 5L4 9l4 4M4 9h10a5 5 0 0 1 0 10h-3',
  check: 'M5 12l5 5 9-10',
  next: 'M9 6l6 6-6 6',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4',
  history: 'M4 12a8 8 0 1 0 3-6.2M4 4v4h4M12 8v4l3 2',
  bell: 'M6 17V11a6 6 0 1 1 12 0v6l2 2H4zM10 21h4',
  comment: 'M4 5h16v11H11l-5 4v-4H4z',
  branch: 'M7 4v16M7 14c6 0 10-2 10-6M17 4v4',
  calendar: 'M4 6h16v14H4zM4 10h16M8 3v4M16 3v4',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3 3',
  chevron: 'M6 9l6 6 6-6',
  columns: 'M4 5h16v14H4zM10 5v14M15 5v14',
  upload: 'M12 16V4M7 9l5-5 5 5M4 16v4h16v-4',
  download: 'M12 4v12M7 11l5 5 5-5M4 20h16',
  picture: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9h.01',
  more: 'M5 11a1 1 0 1 0 0 2 1 1 0 0 0 0-2zM12 11a1 1 0 1 0 0 2 1 1 0 0 0 0-2zM19 11a1 1 0 1 0 0 2 1 1 0 0 0 0-2z',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  bookmark: 'M6 4h12v16l-6-4-6 4z',
  archive: 'M3 5h18v4H3zM5 9v10h14V9M10 13h4',
  import: 'M12 4v11M7 10l5 5 5-5M4 20h16',
  export: 'M12 16V5M7 10l5-5 5 5M4 20h16',
  gear: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 5a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM9 15a2 2 0 1 0 0 4 2 2 0 0 0 0-4z',
  play: 'M7 5l11 7-11 7z',
  pulse: 'M3 12h4l3-8 4 16 3-8h4',
  link: 'M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-6-6l-1.5 1.5M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 6 6l1.5-1.5',
  code: 'M8 7l-5 5 5 5M16 7l5 5-5 5M13.5 5l-3 14',
  chart: 'M4 4v16h16M8 16v-4M12 16V8M16 16v-6',
  globe: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c4 4 4 14 0 18M12 3c-4 4-4 14 0 18',
  grip: 'M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01',
} as const;

export type IconName = keyof typeof paths;

/** They point along the text, so they turn with it. */
const directed: ReadonlySet<IconName> = new Set(['back', 'next', 'undo']);

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg className={directed.has(name) ? 'icon turns' : 'icon'} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={paths[name]} />
  </svg>
);
