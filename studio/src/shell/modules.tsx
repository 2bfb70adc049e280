// The parts of Studio besides the collections, at the top of the side. A part is there for people who may read what it shows.

import { Link, useLocation } from 'wouter';
import type { Boot } from '../api/boot.js';
import { Icon, type IconName } from '../primitives/icon.js';
import type { SystemName } from '../schema/model.js';
import { may } from '../schema/permissions.js';
import { useStudio } from '../studio-context.js';
import type { Messages } from '../text/messages.js';
import { useText } from '../text/use-text.js';

interface Module {
  readonly href: string;
  /** Other addresses that belong to it. */
  readonly also?: readonly string[];
  readonly icon: IconName;
  readonly title: (text: Messages) => string;
  readonly isOpen: (boot: Boot) => boolean;
}

const mayRead =
  (name: SystemName) =>
  ({ permissions }: Boot): boolean =>
    may(permissions, name, 'read');

const isAdmin = ({ isAdmin: admin, seen }: Boot): boolean => admin && seen === null;

const modules: readonly Module[] = [
  { href: '/files', icon: 'picture', title: ({ files }) => files, isOpen: mayRead('files') },
  { href: '/dashboards', icon: 'chart', title: ({ dashboards }) => dashboards, isOpen: mayRead('dashboards') },
  { href: '/flows', also: ['/runs'], icon: 'branch', title: ({ automation }) => automation, isOpen: mayRead('flows') },
  { href: '/activity', icon: 'history', title: ({ activity }) => activity, isOpen: mayRead('activity') },
  { href: '/model', icon: 'columns', title: ({ model }) => model, isOpen: isAdmin },
  { href: '/roles', also: ['/people', '/policies', '/public', '/keys'], icon: 'key', title: ({ access }) => access, isOpen: isAdmin },
  { href: '/settings', icon: 'gear', title: ({ settings }) => settings, isOpen: isAdmin },
  { href: '/system', icon: 'pulse', title: ({ system }) => system, isOpen: isAdmin },
  { href: '/api', icon: 'code', title: ({ api }) => api, isOpen: isAdmin },
];

export const modulesOf = (boot: Boot): readonly Module[] => modules.filter(({ isOpen }) => isOpen(boot));

export function Modules() {
  const { boot } = useStudio();
  const open = modulesOf(boot);
  if (open.length === 0) return null;
  return (
    <ul className="modules tree-part">
      {open.map((module) => (
        <Entry key={module.href} module={module} />
      ))}
    </ul>
  );
}

function Entry({ module: { href, also = [], icon, title } }: { readonly module: Module }) {
  const text = useText();
  const [location] = useLocation();
  const isHere = [href, ...also].some((path) => location === path || location.startsWith(`${path}/`));
  return (
    <li>
      <Link href={href} aria-current={isHere ? 'page' : undefined}>
        <Icon name={icon} />
        <span>{title(text)}</span>
      </Link>
    </li>
  );
}
