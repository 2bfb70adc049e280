// Brings items in from a file, in three steps: choose it, say which column is which field, see what would be refused. Nothing is written
// before the last button, and then everything at once.

import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { Icon } from '../../primitives/icon.js';
import type { Collection } from '../../schema/model.js';
import { useLanguage } from '../../text/use-text.js';
import { FileStep } from './file-step.js';
import { MappingStep } from './mapping-step.js';
import { RefusalsStep } from './refusals-step.js';
import { type Import, useImport } from './use-import.js';

interface ImportDialogProps {
  readonly collection: Collection;
  readonly onClose: () => void;
  /** The list has to be read again. */
  readonly onDone: () => void;
}

export function ImportDialog({ collection, onClose, onDone }: ImportDialogProps) {
  const { text } = useLanguage();
  const course = useImport(collection, onClose, onDone);
  const isWriting = course.stage.kind === 'writing';
  const close = () => {
    course.cancel();
    onClose();
  };
  return (
    <ModalOverlay
      className="overlay"
      isOpen
      isDismissable={course.stage.kind === 'file'}
      isKeyboardDismissDisabled={isWriting}
      onOpenChange={(open) => !open && close()}
    >
      <Modal className="import-modal">
        <Dialog className="dialog import-dialog">
          <div className="dialog-head">
            <Heading slot="title" level={2}>
              {text.list.importInto(collection.title)}
            </Heading>
            <button type="button" className="button quiet icon-only" aria-label={text.close} disabled={isWriting} onClick={close}>
              <Icon name="close" />
            </button>
          </div>
          {course.failure !== null && (
            <p className="banner" role="alert">
              {course.failure}
            </p>
          )}
          <ImportStep collection={collection} course={course} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function ImportStep({ collection, course }: { readonly collection: Collection; readonly course: Import }) {
  const { text, number } = useLanguage();
  const { stage, file, mapping, mode, setMapping, setMode, goTo, check, write, cancel } = course;
  if (stage.kind === 'file' || file === null) return <FileStep onFile={course.takeFile} />;
  const { table } = file;
  switch (stage.kind) {
    case 'mapping':
      return (
        <MappingStep
          {...{ collection, table, mapping, mode }}
          name={file.name}
          onMapping={setMapping}
          onMode={setMode}
          onBack={() => goTo('file')}
          onNext={check}
        />
      );
    case 'checking': {
      const label = text.list.checkedRows(number.format(stage.done), number.format(table.rows.length));
      return <Progress label={label} done={stage.done} of={table.rows.length} onCancel={cancel} />;
    }
    case 'writing':
      return <Progress label={text.list.writingRows} done={null} of={1} onCancel={null} />;
    case 'checked':
      return (
        <RefusalsStep
          {...{ collection, table, mapping }}
          refusals={stage.refusals}
          empty={stage.planned.empty}
          onBack={() => goTo('mapping')}
          onImport={(rows) => write(stage.planned, rows)}
        />
      );
  }
}

interface ProgressProps {
  readonly label: string;
  /** null: unknown. */
  readonly done: number | null;
  readonly of: number;
  readonly onCancel: (() => void) | null;
}

function Progress({ label, done, of, onCancel }: ProgressProps) {
  const { text } = useLanguage();
  return (
    <div className="stack" role="status">
      <span>{label}</span>
      <progress aria-label={label} {...(done === null ? {} : { value: done, max: of })} />
      {onCancel !== null && (
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onCancel}>
            {text.cancel}
          </button>
        </div>
      )}
    </div>
  );
}
