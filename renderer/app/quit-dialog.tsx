import { Button, Progress } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand/react';
import type { QuitPlan } from '../../shared/model/call.ts';
import { closeToTray, quitNow, stayOn } from '../command/quit-actions.ts';
import { formatDuration } from '../lib/format-time.ts';
import { quitSentence } from '../lib/quit-words.ts';
import { isDirty } from '../store/draft-store.ts';
import { useClients, useModel, useServers, useTimeText } from '../store/model-context.tsx';
import { Dialog, DialogFoot } from '../ui/dialog.tsx';
import classes from './quit-dialog.module.css';
import { CallList, ClientList } from './quit-lists.tsx';

/** Asks what is to become of the clients that a quit would cut off. Staying is what Escape and the first key do. */
export function QuitDialog({ plan: first }: { plan: QuitPlan }) {
  const plan = useFreshPlan(first);
  const [drainingSince, setDraining] = useState<number>();
  return drainingSince === undefined ? (
    <Question plan={plan} onDraining={setDraining} />
  ) : (
    <Draining plan={plan} since={drainingSince} />
  );
}

function Question({ plan, onDraining }: { plan: QuitPlan; onDraining: (since: number) => void }) {
  const model = useModel();
  const draft = useStore(model.draft, (state) => state.draft);
  async function drain(): Promise<void> {
    if (await quitNow(model, 'drain')) onDraining(model.now());
  }
  return (
    <Dialog title="Quit Patchbay?" onClose={() => void stayOn(model)} size={520}>
      <div className={classes.body}>
        <p className={classes.lead}>
          {quitSentence(plan)} A quit cuts them off; clients come back when Patchbay runs again.
        </p>
        <CallList calls={plan.calls} />
        <ClientList clients={plan.clients} />
        {isDirty(draft) && (
          <p className={classes.unsaved}>Your unsaved changes to {draft?.originalKey} would be lost too.</p>
        )}
      </div>
      <DialogFoot>
        <Button variant="subtle" color="red" c="var(--bad)" onClick={() => void quitNow(model, 'now')}>
          Quit now
        </Button>
        {plan.calls.length > 0 && (
          <Button variant="default" onClick={() => void drain()}>
            Finish calls, then quit
          </Button>
        )}
        <Button data-autofocus onClick={() => void closeToTray(model)}>
          Keep serving in the tray
        </Button>
      </DialogFoot>
    </Dialog>
  );
}

/** Longest time in milliseconds that calls are given. */
const longestDrain = 30_000;

/** The last calls are waited for and new ones refused, until somebody wants to stay after all. */
function Draining({ plan, since }: { plan: QuitPlan; since: number }) {
  const model = useModel();
  const left = useTimeText((now) => String(Math.max(0, since + longestDrain - now)));
  const done = plan.calls.length === 0;
  return (
    <Dialog title={done ? 'Ending the servers…' : 'Finishing calls…'} size={520}>
      <div className={classes.body}>
        <p className={classes.lead} role="status">
          {done
            ? 'Every call has been answered.'
            : `Patchbay quits when the last call is answered, in ${formatDuration(Number(left))} at the latest. New calls are refused.`}
        </p>
        <Progress
          size={4}
          aria-label="Time that calls are still given"
          value={done ? 100 : 100 - Number(left) / (longestDrain / 100)}
          transitionDuration={400}
        />
        <CallList calls={plan.calls} />
      </div>
      <DialogFoot>
        <Button variant="light" color="red" c="var(--bad)" onClick={() => void quitNow(model, 'now')}>
          Quit now
        </Button>
        <Button data-autofocus disabled={done} onClick={() => void stayOn(model)}>
          Keep running
        </Button>
      </DialogFoot>
    </Dialog>
  );
}

/** The plan as it is now: asked for again whenever clients or calls have changed. */
function useFreshPlan(first: QuitPlan): QuitPlan {
  const { link } = useModel();
  const [plan, setPlan] = useState(first);
  const clients = useClients();
  const calls = useServers(({ byKey }) =>
    Object.values(byKey).reduce((sum, { activeCalls }) => sum + activeCalls, 0),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: they say that the plan may be another
  useEffect(() => {
    let wanted = true;
    void link.call('app.quitPlan', undefined).then((answer) => {
      if (wanted && answer.ok) setPlan(answer.value);
    });
    return () => {
      wanted = false;
    };
  }, [link, clients, calls]);
  return plan;
}
