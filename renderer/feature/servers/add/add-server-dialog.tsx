import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useModel } from '../../../store/model-context.tsx';
import { type AddMethod, closeDialog, type PasteStart } from '../../../store/view-store.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { ImportServers } from '../import/import-servers.tsx';
import { AddByForm } from './add-by-form.tsx';
import { AddByPaste } from './add-by-paste.tsx';
import classes from './add-server.module.css';

interface AddServerDialogProps {
  readonly how: AddMethod;
  readonly start: PasteStart;
}

/** Adds servers: any number from text or a file, one by form, or those of other apps. */
export function AddServerDialog({ how: first, start }: AddServerDialogProps) {
  const { view } = useModel();
  const [how, setHow] = useState(first);
  const close = () => closeDialog(view);
  return (
    <Dialog
      title={how === 'import' ? 'Import servers' : 'Add server'}
      onClose={close}
      size={680}
      classNames={{ content: classes.content, body: classes.body }}
      head={
        <SegmentedControl
          size="xs"
          aria-label="How to add"
          value={how}
          onChange={setHow}
          data={[
            { value: 'paste', label: 'Paste' },
            { value: 'form', label: 'Form' },
            { value: 'import', label: 'Import from apps' },
          ]}
        />
      }
    >
      {how === 'paste' && <AddByPaste start={start} onClose={close} />}
      {how === 'form' && <AddByForm onClose={close} />}
      {how === 'import' && <ImportServers onClose={close} />}
    </Dialog>
  );
}
