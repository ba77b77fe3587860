import { Button } from '@mantine/core';
import { DatabaseBackup } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand/react';
import { recoverAccess } from '../../../command/access-actions.ts';
import { useModel } from '../../../store/model-context.tsx';
import { Dialog, DialogFoot } from '../../../ui/dialog.tsx';
import { Notice } from '../../../ui/notice.tsx';
import classes from './access.module.css';

/** Warns after the database was damaged. New access stays blocked until the user chooses how to continue. */
export function DamagedDatabaseNotice() {
  const { mirrors } = useModel();
  const isDamaged = useStore(mirrors.hub, (hub) => hub?.problems.some(({ code }) => code === 'access.lost'));
  const [asking, setAsking] = useState(false);
  if (isDamaged !== true) return null;
  return (
    <div className={classes.lost}>
      <Notice
        label="Damaged database"
        tone="bad"
        icon={<DatabaseBackup size={16} />}
        title="Some access rules may be lost"
        text="The database was damaged. Local clients that could call everything still can. All others are blocked until you continue with the recovered data."
        actions={<Button onClick={() => setAsking(true)}>Continue…</Button>}
      />
      {asking && <ContinueDialog onClose={() => setAsking(false)} />}
    </div>
  );
}

function ContinueDialog({ onClose }: { onClose: () => void }) {
  const model = useModel();
  return (
    <Dialog title="Continue with the recovered data?" onClose={onClose} size={500}>
      <div className={classes.goOn}>
        <ul>
          <li>Rules recovered from the damaged database take effect.</li>
          <li>Clients that could call everything still can.</li>
          <li>
            Clients with limited access are restored, but blocked until you allow something here. Agents whose
            tokens were lost need new ones.
          </li>
          <li>Tools you have approved may need your review again.</li>
        </ul>
        <p>This cannot be undone. The damaged file is kept.</p>
      </div>
      <DialogFoot>
        <Button variant="default" onClick={onClose} data-autofocus>
          Not now
        </Button>
        <Button
          onClick={() => {
            onClose();
            void recoverAccess(model);
          }}
        >
          Continue
        </Button>
      </DialogFoot>
    </Dialog>
  );
}
