import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useId, useState } from 'react';
import { createAgent } from '../../../command/access-actions.ts';
import { useModel } from '../../../store/model-context.tsx';
import { closeDialog } from '../../../store/view-store.ts';
import { Dialog, DialogFoot } from '../../../ui/dialog.tsx';
import classes from './access-dialog.module.css';
import { ExpiryChoice, expiryOf } from './end-choice.tsx';

/** Creates an agent with its own token and no access. */
export function NewAgentDialog() {
  const model = useModel();
  const form = useId();
  const [name, setName] = useState('');
  const [owner, setOwner] = useState('');
  const [expiry, setEnd] = useState('never');
  const close = () => closeDialog(model.view);
  async function create(event: FormEvent): Promise<void> {
    event.preventDefault();
    const expiresAt = expiryOf(expiry, model.now());
    await createAgent(model, {
      name: name.trim(),
      ...(owner.trim() === '' ? {} : { owner: owner.trim() }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    });
  }
  return (
    <Dialog title="New agent" onClose={close} size={460}>
      <form id={form} className={classes.fields} onSubmit={(event) => void create(event)}>
        <TextInput
          label="Name"
          maxLength={200}
          data-autofocus
          spellCheck={false}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label="Owner"
          description="The person responsible for it. Optional."
          maxLength={200}
          value={owner}
          onChange={(event) => setOwner(event.currentTarget.value)}
        />
        <ExpiryChoice value={expiry} onChange={setEnd} />
      </form>
      <DialogFoot note="An agent has no access until you allow something.">
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button type="submit" form={form} disabled={name.trim() === ''}>
          Create
        </Button>
      </DialogFoot>
    </Dialog>
  );
}
