// A small form in a dialog. A refusal is shown in it, and what was typed stays.

import { type FormEvent, type ReactNode, useState } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { ApiError } from '../api/client.js';
import { useText } from '../text/use-text.js';

interface FormDialogProps {
  readonly title: string;
  readonly action: string;
  readonly children: ReactNode;
  /** Beside the buttons, at the start. */
  readonly aside?: ReactNode;
  readonly onSubmit: (form: FormData) => Promise<void>;
  readonly onClose: () => void;
}

export function FormDialog({ title, action, children, aside, onSubmit, onClose }: FormDialogProps) {
  const text = useText();
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // A dialog may be opened from within another form.
    event.stopPropagation();
    setSending(true);
    try {
      await onSubmit(new FormData(event.currentTarget));
      onClose();
    } catch (error) {
      setSending(false);
      setRefusal(error instanceof ApiError && error.status > 0 ? error.message : text.unreachable);
    }
  };
  return (
    <ModalOverlay className="overlay" isOpen isDismissable onOpenChange={(open) => !open && onClose()}>
      <Modal>
        <Dialog className="dialog">
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          <form ref={focusFirst} onSubmit={submit} className="stack">
            {children}
            {refusal !== null && (
              <p className="refusal" role="alert">
                {refusal}
              </p>
            )}
            <div className="dialog-actions">
              {aside}
              <button type="button" className="button" onClick={onClose}>
                {text.cancel}
              </button>
              <button type="submit" className="button primary" disabled={isSending}>
                {action}
              </button>
            </div>
          </form>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

/** The dialog itself would have the focus otherwise. */
function focusFirst(form: HTMLFormElement | null): void {
  form?.querySelector<HTMLElement>('input, textarea, select')?.focus();
}
