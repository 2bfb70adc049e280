// The head of a page: title, its actions, and at the end what else can be done, such as to see the request of the page. On phones it begins with
// the button that opens the tree.

import { createContext, type ReactNode, useContext, useEffect } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { Link, useRoute } from 'wouter';
import type { ApiRequest } from '../mirror/api-request.js';
import { Icon, type IconName } from '../primitives/icon.js';
import { useText } from '../text/use-text.js';

/** What a page passes to the frame around it, and asks of it. */
interface Frame {
  readonly openTree: () => void;
  /** Which request the page makes; null: none. The command menu offers to show it. */
  readonly setRequest: (request: ApiRequest | null) => void;
  readonly showRequest: (request: ApiRequest) => void;
}

const ignore = () => undefined;
export const FrameContext = createContext<Frame>({ openTree: ignore, setRequest: ignore, showRequest: ignore });

/** An entry of the menu at the end. */
export interface HeadAction {
  readonly title: string;
  readonly icon: IconName;
  readonly run: () => void;
}

interface PageHeadProps {
  readonly title: ReactNode;
  /** On phones the title gets a line of its own: there are many actions. */
  readonly isCrowded?: boolean;
  /** How the page reads what it shows. */
  readonly request?: ApiRequest;
  readonly more?: readonly HeadAction[];
  readonly children?: ReactNode;
}

export function PageHead({ title, isCrowded = false, request, more = [], children }: PageHeadProps) {
  const text = useText();
  const { openTree, setRequest, showRequest } = useContext(FrameContext);
  useEffect(() => {
    setRequest(request ?? null);
    return () => setRequest(null);
  }, [request, setRequest]);
  const show: readonly HeadAction[] =
    request === undefined ? [] : [{ title: text.showRequest, icon: 'code', run: () => showRequest(request) }];
  return (
    <header className={`page-head ${isCrowded ? 'crowded' : ''}`}>
      <button type="button" className="button quiet icon-only menu-button" aria-label={text.menu} onClick={openTree}>
        <Icon name="menu" />
      </button>
      <h1>{title}</h1>
      {children}
      <MoreMenu actions={[...more, ...show]} />
    </header>
  );
}

function MoreMenu({ actions }: { readonly actions: readonly HeadAction[] }) {
  const text = useText();
  if (actions.length === 0) return null;
  return (
    <MenuTrigger>
      <Button className="button quiet icon-only" aria-label={text.more}>
        <Icon name="more" />
      </Button>
      <Popover className="popover" placement="bottom end">
        <Menu className="menu">
          {actions.map(({ title, icon, run }) => (
            <MenuItem key={title} className="option" textValue={title} onAction={run}>
              <Icon name={icon} />
              {title}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

/** Below the head: the ways between the pages of one part of Studio. */
export interface PageTab {
  readonly href: string;
  readonly title: string;
  /** Addresses below belong to other tabs. */
  readonly isAlone?: boolean;
}

export function PageTabs({ label, tabs }: { readonly label: string; readonly tabs: readonly PageTab[] }) {
  return (
    <nav className="page-tabs" aria-label={label}>
      {tabs.map((tab) => (
        <TabLink key={tab.href} {...tab} />
      ))}
    </nav>
  );
}

function TabLink({ href, title, isAlone = false }: PageTab) {
  const [isHere] = useRoute(isAlone ? href : `${href}/*?`);
  return (
    <Link href={href} aria-current={isHere ? 'page' : undefined}>
      {title}
    </Link>
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
