import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useModel } from '../../../store/model-context.tsx';
import { type AddWay, closeDialog, type LinkedImport } from '../../../store/view-store.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { ImportServers } from '../import/import-servers.tsx';
import { AddByForm } from './add-by-form.tsx';
import { AddByPaste } from './add-by-paste.tsx';
import classes from './add-server.module.css';

interface AddServerDialogProps {
  readonly how: AddWay;
  readonly text: string;
  readonly from: LinkedImport | undefined;
}

/** Adds servers: one by its fields, or any number out of pasted JSON or from another program. */
export function AddServerDialog({ how: first, text, from }: AddServerDialogProps) {
  const { view } = useModel();
  const [how, setHow] = useState(first);
  const close = () => closeDialog(view);
  return (
    <Dialog
      title="Add server"
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
            { value: 'form', label: 'Form' },
            { value: 'paste', label: 'Paste JSON' },
            { value: 'import', label: 'Import' },
          ]}
        />
      }
    >
      {how === 'form' && <AddByForm onClose={close} />}
      {how === 'paste' && <AddByPaste firstText={text} onClose={close} />}
      {how === 'import' && <ImportServers from={from} onClose={close} />}
    </Dialog>
  );
}
