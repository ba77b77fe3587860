import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useModel } from '../../../store/model-context.tsx';
import { closeDialog } from '../../../store/view-store.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { AddByForm } from './add-by-form.tsx';
import { AddByPaste } from './add-by-paste.tsx';
import classes from './add-server.module.css';

/** Adds servers: one by its fields, or any number out of pasted JSON. */
export function AddServerDialog({ how: first, text }: { how: 'form' | 'paste'; text: string }) {
  const { view } = useModel();
  const [how, setHow] = useState(first);
  const close = () => closeDialog(view);
  return (
    <Dialog
      title="Add server"
      onClose={close}
      size={620}
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
          ]}
        />
      }
    >
      {how === 'form' ? <AddByForm onClose={close} /> : <AddByPaste firstText={text} onClose={close} />}
    </Dialog>
  );
}
