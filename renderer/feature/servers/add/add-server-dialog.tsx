import { Modal, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useModel } from '../../../store/model-context.tsx';
import { closeDialog } from '../../../store/view-store.ts';
import { DialogHead } from '../../../ui/dialog-head.tsx';
import { AddByForm } from './add-by-form.tsx';
import { AddByPaste } from './add-by-paste.tsx';
import classes from './add-server.module.css';

/** Adds servers: one by its fields, or any number out of pasted JSON. */
export function AddServerDialog({ how: first, text }: { how: 'form' | 'paste'; text: string }) {
  const { view } = useModel();
  const [how, setHow] = useState(first);
  const close = () => closeDialog(view);
  return (
    <Modal
      opened
      onClose={close}
      withCloseButton={false}
      size={620}
      classNames={{ content: classes.content ?? '', body: classes.body ?? '' }}
    >
      <DialogHead title="Add server" onClose={close}>
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
      </DialogHead>
      {how === 'form' ? <AddByForm onClose={close} /> : <AddByPaste firstText={text} onClose={close} />}
    </Modal>
  );
}
