import { Button } from '@mantine/core';
import { useStore } from 'zustand/react';
import { deleteProfile } from '../../../command/client/profile-actions.ts';
import { clientTitle } from '../../../lib/server/client-title.ts';
import { joinWords } from '../../../lib/text/join-words.ts';
import { useModel } from '../../../store/model-context.tsx';
import { closeDialog } from '../../../store/view-store.ts';
import { Dialog, DialogFoot } from '../../../ui/dialog/dialog.tsx';
import classes from './profiles.module.css';

/** Confirms deleting a profile that clients use, since they get everything without it. */
export function DeleteProfileDialog({ name }: { name: string }) {
  const model = useModel();
  const clients = useStore(model.mirrors.profiles, (view) => view.clients);
  const users = Object.keys(clients).filter((client) => clients[client] === name);
  const titles = joinWords(
    users.map((user) => clientTitle({ name: user })),
    4,
  );
  const close = () => closeDialog(model.view);
  return (
    <Dialog title={`Delete ${name}?`} onClose={close} size={460}>
      <p className={classes.question}>
        {titles} {users.length === 1 ? 'uses' : 'use'} this profile and will get all servers and tools without
        it.
      </p>
      <DialogFoot>
        <Button variant="default" onClick={close} data-autofocus>
          Keep it
        </Button>
        <Button
          variant="light"
          color="red"
          onClick={() => {
            close();
            void deleteProfile(model, name, true);
          }}
        >
          Delete
        </Button>
      </DialogFoot>
    </Dialog>
  );
}
