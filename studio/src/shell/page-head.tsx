// The head of a page: title, and its actions at the end. On phones it begins with the button that opens the tree.

import { createContext, type ReactNode, useContext } from 'react';
import { Link } from 'wouter';
import { Icon } from '../primitives/icon.js';
import { useText } from '../text/use-text.js';

export const MenuButtonContext = createContext<() => void>(() => undefined);

interface PageHeadProps {
  readonly title: ReactNode;
  /** On phones the title gets a line of its own: there are many actions. */
  readonly isCrowded?: boolean;
  readonly children?: ReactNode;
}

export function PageHead({ title, isCrowded = false, children }: PageHeadProps) {
  const text = useText();
  const openMenu = useContext(MenuButtonContext);
  return (
    <header className={`page-head ${isCrowded ? 'crowded' : ''}`}>
      <button type="button" className="button quiet icon-only menu-button" aria-label={text.menu} onClick={openMenu}>
        <Icon name="menu" />
      </button>
      <h1>{title}</h1>
      {children}
    </header>
  );
}

/** The way to the page above, in front of a title: its name, and on phones an arrow. */
export function Crumb({ href, title }: { readonly href: string; readonly title: string }) {
  return (
    <>
      <Link href={href} className="crumb" aria-label={title}>
        <span className="narrow-label">
          <Icon name="back" />
        </span>
        <span className="wide-label">{title} /</span>
      </Link>{' '}
    </>
  );
}
