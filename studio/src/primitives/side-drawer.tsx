// A drawer from the right with a head, its content and a foot of buttons.

import type { ReactNode } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useText } from '../text/use-text.js';
import { Icon } from './icon.js';

interface SideDrawerProps {
  readonly title: string;
  readonly foot?: ReactNode;
  readonly isWide?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function SideDrawer({ title, foot, isWide = false, onClose, children }: SideDrawerProps) {
  const text = useText();
  return (
    <ModalOverlay className="overlay side-overlay" isOpen isDismissable onOpenChange={(open) => !open && onClose()}>
      <Modal className={`drawer ${isWide ? 'wide' : ''}`}>
        <Dialog className="drawer-content">
          <header className="drawer-head">
            <Heading slot="title" level={2} className="cut">
              {title}
            </Heading>
            <button type="button" className="button quiet icon-only" aria-label={text.close} onClick={onClose}>
              <Icon name="close" />
            </button>
          </header>
          <div className="scroll drawer-body">{children}</div>
          {foot !== undefined && <footer className="drawer-foot">{foot}</footer>}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
