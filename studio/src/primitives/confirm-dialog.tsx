// Asks before something is lost. The button says what it does.

import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useText } from '../text/use-text.js';

interface ConfirmDialogProps {
  readonly title: string;
  readonly hint: string;
  readonly action: string;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

export function ConfirmDialog({ title, hint, action, onConfirm, onCancel }: ConfirmDialogProps) {
  const text = useText();
  return (
    <ModalOverlay className="overlay" isOpen isDismissable onOpenChange={(open) => !open && onCancel()}>
      <Modal>
        <Dialog className="dialog" role="alertdialog">
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          <p>{hint}</p>
          <div className="dialog-actions">
            <button type="button" className="button" onClick={onCancel}>
              {text.cancel}
            </button>
            <button type="button" className="button danger" onClick={onConfirm}>
              {action}
            </button>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
