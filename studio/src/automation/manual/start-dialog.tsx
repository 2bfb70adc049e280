// Starts a flow by hand, after what it asks: a question, and fields that it gets with the keys of the items.

import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import type { ManualFlow } from '../../api/boot.js';
import { ApiError, request } from '../../api/client.js';
import { checkDraft } from '../../draft/check-draft.js';
import { DraftStore, entryKeeper } from '../../draft/draft-store.js';
import { Form, useMatchContext } from '../../form/form.js';
import { showToast } from '../../primitives/toasts.js';
import { StudioContext, useStudio } from '../../studio-context.js';
import { useLanguage, useText } from '../../text/use-text.js';
import { isObject, textOf, useAutomationText } from '../automation-data.js';
import { askedCollection } from './asked-fields.js';
import '../../form/form.css';

interface StartDialogProps {
  readonly flow: ManualFlow;
  readonly collection: string;
  readonly keys: readonly string[];
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function StartDialog(props: StartDialogProps) {
  const { flow } = props;
  const start = useStart(props);
  const isAsked = flow.options['requireConfirmation'] === true;
  const begun = useRef(false);
  useEffect(() => {
    if (isAsked || begun.current) return;
    begun.current = true;
    void start({}).catch(() => undefined);
  }, [isAsked, start]);
  return isAsked ? <Question {...props} start={start} /> : null;
}

/** Says how it ended. Throws what the service refused. */
function useStart({
  flow,
  collection,
  keys,
  onDone,
  onClose,
}: StartDialogProps): (values: Readonly<Record<string, unknown>>) => Promise<void> {
  const text = useAutomationText();
  const { unreachable } = useText();
  return async (values) => {
    try {
      const { data } = await request<unknown>('POST', `/flows/trigger/${flow.id}`, { body: { ...values, collection, keys } });
      const isFailure = isObject(data) && typeof data['code'] === 'string' && typeof data['status'] === 'number';
      showToast(
        flow.options['async'] === true ? text.flowStarted(flow.name) : isFailure ? text.flowFailed(flow.name) : text.flowDone(flow.name),
      );
    } catch (error) {
      showToast(`${text.flowFailed(flow.name)}: ${error instanceof ApiError ? error.message : unreachable}`);
    }
    onClose();
    onDone();
  };
}

interface QuestionProps extends StartDialogProps {
  readonly start: (values: Readonly<Record<string, unknown>>) => Promise<void>;
}

function Question({ flow, keys, start, onClose }: QuestionProps) {
  const text = useAutomationText();
  const main = useText();
  const { tag, number } = useLanguage();
  const context = useMatchContext();
  const collection = useMemo(() => askedCollection(flow.options['fields'], tag), [flow, tag]);
  const [store] = useState(
    () =>
      new DraftStore(
        {},
        entryKeeper({}, () => undefined),
      ),
  );
  const [isSending, setSending] = useState(false);
  const begin = async () => {
    const draft = collection === null ? null : { collection, base: {}, edits: store.edits, isNew: true, filled: null };
    const refusals =
      draft === null
        ? []
        : checkDraft(context, draft, { missing: main.requiredMissing, invalid: main.ruleBroken, faults: main.list.faults });
    store.refuse(refusals);
    if (refusals.length > 0) return;
    setSending(true);
    await start(store.edits);
  };
  const question = textOf(flow.options['confirmationDescription']);
  return (
    <ModalOverlay className="overlay" isOpen isDismissable onOpenChange={(open) => !open && onClose()}>
      <Modal>
        <Dialog className="dialog">
          <Heading slot="title" level={2}>
            {question === '' ? text.confirmStart(flow.name) : flow.name}
          </Heading>
          {question !== '' && <p>{question}</p>}
          {keys.length > 1 && <p className="hint">{main.list.selected(number.format(keys.length))}</p>}
          {collection !== null && (
            <Allowed collection={collection.name}>
              <Form collection={collection} itemKey={null} store={store} isReadOnly={false} />
            </Allowed>
          )}
          <div className="dialog-actions">
            <button type="button" className="button" onClick={onClose}>
              {main.cancel}
            </button>
            <button type="button" className="button primary" disabled={isSending} onClick={() => void begin()}>
              {text.startFlow}
            </button>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

/** What is asked belongs to no collection, so that no permission speaks of it. */
function Allowed({ collection, children }: { readonly collection: string; readonly children: ReactNode }) {
  const studio = useStudio();
  const value = useMemo(() => {
    const permissions = { ...studio.boot.permissions, [collection]: { create: { access: 'full' as const } } };
    return { ...studio, boot: { ...studio.boot, permissions } };
  }, [studio, collection]);
  return <StudioContext value={value}>{children}</StudioContext>;
}
