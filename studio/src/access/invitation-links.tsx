// The links of invitations where no mail server is set: whoever invites passes them on.

import { useId } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { Icon } from '../primitives/icon.js';
import { showToast } from '../primitives/toasts.js';
import { useText } from '../text/use-text.js';
import { useAccessText } from './access-data.js';

export interface InvitationLink {
  readonly email: string;
  readonly mailed: boolean;
  /** Null: it was sent by mail, or only administrators may have it. */
  readonly link: string | null;
}

export function InvitationLinks({ links, onClose }: { readonly links: readonly InvitationLink[]; readonly onClose: () => void }) {
  const text = useText();
  const access = useAccessText();
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(open) => !open && onClose()}>
      <Modal>
        <Dialog className="dialog">
          <Heading slot="title" level={2}>
            {access.invitationLinks}
          </Heading>
          <div className="stack">
            <p>{access.invitationLinksHint}</p>
            {links.map(({ email, link }) => (
              <LinkRow key={email} email={email} link={link ?? ''} />
            ))}
            <div className="dialog-actions">
              <button type="button" className="button primary" onClick={onClose}>
                {text.done}
              </button>
            </div>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function LinkRow({ email, link }: { readonly email: string; readonly link: string }) {
  const access = useAccessText();
  const id = useId();
  const copy = async () => {
    await navigator.clipboard.writeText(link);
    showToast(access.linkCopied);
  };
  return (
    <div>
      <label className="label" htmlFor={id}>
        {email}
      </label>
      <div className="address-row">
        <input id={id} className="input code" readOnly value={link} onFocus={(event) => event.target.select()} />
        <button type="button" className="button" aria-label={access.copyLink(email)} onClick={() => void copy()}>
          <Icon name="copy" />
        </button>
      </div>
    </div>
  );
}
