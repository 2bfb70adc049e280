// The dialogs that bring items in from a file and take them out into one: they are loaded together.

import { ExportDialog, type ExportDialogProps } from './export-dialog.js';
import { ImportDialog } from './import-dialog.js';

interface TransferDialogProps extends ExportDialogProps {
  readonly way: 'import' | 'export';
  /** The list has to be read again. */
  readonly onDone: () => void;
}

export const TransferDialog = ({ way, onDone, ...props }: TransferDialogProps) =>
  way === 'export' ? <ExportDialog {...props} /> : <ImportDialog collection={props.collection} onClose={props.onClose} onDone={onDone} />;
