import { Button } from '@mantine/core';
import { DatabaseBackup } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand/react';
import { beginAccessAnew } from '../../../command/access-actions.ts';
import { useModel } from '../../../store/model-context.tsx';
import { Dialog, DialogFoot } from '../../../ui/dialog.tsx';
import { Notice } from '../../../ui/notice.tsx';
import classes from './access.module.css';

/** After the database was damaged: nothing is allowed anew until somebody has said how to go on. */
export function LostNotice() {
  const { mirrors } = useModel();
  const isLost = useStore(mirrors.hub, (hub) => hub?.problems.some(({ code }) => code === 'access.lost'));
  const [asking, setAsking] = useState(false);
  if (isLost !== true) return null;
  return (
    <div className={classes.lost}>
      <Notice
        label="What was lost"
        tone="bad"
        icon={<DatabaseBackup size={16} />}
        title="Some of what was allowed here may be lost"
        text="The database was damaged. Local clients that could call everything still can; nobody else may call anything until you continue with the recovered data."
        actions={<Button onClick={() => setAsking(true)}>Continue…</Button>}
      />
      {asking && <GoOnDialog onClose={() => setAsking(false)} />}
    </div>
  );
}

function GoOnDialog({ onClose }: { onClose: () => void }) {
  const model = useModel();
  return (
    <Dialog title="Continue with the recovered data?" onClose={onClose} size={500}>
      <div className={classes.goOn}>
        <ul>
          <li>What could be read of the damaged database counts from now on.</li>
          <li>Clients that could call everything keep that.</li>
          <li>
            Clients that were limited are known again and may call nothing until you allow it here. Agents
            whose tokens are lost need new ones.
          </li>
          <li>Tools that you had approved may need your review again.</li>
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
            void beginAccessAnew(model);
          }}
        >
          Go on
        </Button>
      </DialogFoot>
    </Dialog>
  );
}
