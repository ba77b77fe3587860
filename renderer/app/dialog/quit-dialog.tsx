import { Button, Checkbox, Progress } from '@mantine/core';
import { useState } from 'react';
import { useStore } from 'zustand/react';
import type { QuitPlan } from '../../../shared/model/activity/call.ts';
import { cancelQuit, closeToTray, quitNow } from '../../command/app/quit-actions.ts';
import { installUpdate } from '../../command/app/update-actions.ts';
import { formatDuration } from '../../lib/text/format-time.ts';
import { quitSentence } from '../../lib/text/quit-texts.ts';
import { isDirty } from '../../store/draft-store.ts';
import { knownValue, useEngine } from '../../store/hook/use-engine.ts';
import type { Model } from '../../store/model.ts';
import { useClients, useModel, useServers, useTimeText } from '../../store/model-context.tsx';
import { titleOf } from '../../store/server-title.ts';
import { Dialog, DialogFoot } from '../../ui/dialog/dialog.tsx';
import classes from './quit-dialog.module.css';
import { CallList, ClientList } from './quit-lists.tsx';

interface QuitDialogProps {
  readonly plan: QuitPlan;
  /** Version after an update; absent for a plain quit. */
  readonly version?: string | undefined;
}

/**
 * Asks about the clients that quitting or updating would interrupt. Escape and the focused button keep the
 * app running.
 */
export function QuitDialog({ plan: first, version }: QuitDialogProps) {
  const plan = useFreshPlan(first);
  const [drainingSince, setDraining] = useState<number>();
  const end = version === undefined ? quit : updateTo(version);
  return drainingSince === undefined ? (
    <Question plan={plan} end={end} onDraining={setDraining} />
  ) : (
    <Draining plan={plan} end={end} since={drainingSince} />
  );
}

/** Texts and actions of a quit or an update. */
interface QuitAction {
  readonly title: string;
  readonly cost: string;
  readonly now: string;
  readonly drain: string;
  readonly stay: string;
  readonly onStay: (model: Model) => void;
  readonly run: (model: Model, how: 'now' | 'drain', stayOff?: boolean) => Promise<boolean>;
  /** True if clients can be kept from starting Patchbay again. */
  readonly canStayOff: boolean;
  readonly when: string;
}

const quit: QuitAction = {
  title: 'Quit Patchbay?',
  cost: 'Quitting disconnects them. An open client starts Patchbay again with its next call.',
  now: 'Quit now',
  drain: 'Finish calls, then quit',
  stay: 'Keep running in the tray',
  onStay: (model) => void closeToTray(model),
  run: quitNow,
  canStayOff: true,
  when: 'Patchbay quits when the last call is answered',
};

function updateTo(version: string): QuitAction {
  return {
    title: `Update Patchbay to ${version}?`,
    cost: 'The update stops all servers for a moment. Clients reconnect; calls in progress are lost.',
    now: 'Update now',
    drain: 'Finish calls, then update',
    stay: 'Not now',
    onStay: (model) => void cancelQuit(model),
    run: installUpdate,
    canStayOff: false,
    when: 'Patchbay is updated when the last call is answered',
  };
}

interface QuestionProps {
  readonly plan: QuitPlan;
  readonly end: QuitAction;
  readonly onDraining: (since: number) => void;
}

function Question({ plan, end, onDraining }: QuestionProps) {
  const model = useModel();
  const draft = useStore(model.draft, (state) => state.draft);
  const [stayOff, setStayOff] = useState(false);
  async function drain(): Promise<void> {
    if (await end.run(model, 'drain', stayOff)) onDraining(model.now());
  }
  return (
    <Dialog title={end.title} onClose={() => void cancelQuit(model)} size={520}>
      <div className={classes.body}>
        <p className="soft">
          {quitSentence(plan)} {end.cost}
        </p>
        <CallList calls={plan.calls} />
        <ClientList clients={plan.clients} />
        {draft !== undefined && isDirty(draft) && (
          <p className={classes.unsaved}>
            Your unsaved changes to {titleOf(model, draft.originalKey)} would be lost too.
          </p>
        )}
        {end.canStayOff && (
          <Checkbox
            checked={stayOff}
            label="Stay off until I open Patchbay"
            description="Clients keep their list of tools; calls fail with “Patchbay is turned off”."
            onChange={(event) => setStayOff(event.currentTarget.checked)}
          />
        )}
      </div>
      <DialogFoot>
        <Button
          variant="subtle"
          color="red"
          c="var(--bad)"
          onClick={() => void end.run(model, 'now', stayOff)}
        >
          {stayOff ? 'Quit and stay off' : end.now}
        </Button>
        {plan.calls.length > 0 && (
          <Button variant="default" onClick={() => void drain()}>
            {end.drain}
          </Button>
        )}
        <Button data-autofocus onClick={() => end.onStay(model)}>
          {end.stay}
        </Button>
      </DialogFoot>
    </Dialog>
  );
}

/** Maximum time for calls to finish in milliseconds. */
const maxDrainMs = 30_000;

/** Waits for active calls while new ones are refused; the user can still cancel. */
function Draining({ plan, end, since }: { plan: QuitPlan; end: QuitAction; since: number }) {
  const model = useModel();
  const left = useTimeText((now) => String(Math.max(0, since + maxDrainMs - now)));
  const done = plan.calls.length === 0;
  return (
    <Dialog title={done ? 'Stopping servers…' : 'Finishing calls…'} size={520}>
      <div className={classes.body}>
        <p className="soft" role="status">
          {done
            ? 'Every call has been answered.'
            : `${end.when}, in ${formatDuration(Number(left))} at the latest. New calls are refused.`}
        </p>
        <Progress
          size={4}
          aria-label="Time left for calls"
          value={done ? 100 : 100 - Number(left) / (maxDrainMs / 100)}
          transitionDuration={400}
        />
        <CallList calls={plan.calls} />
      </div>
      <DialogFoot>
        <Button variant="light" color="red" c="var(--bad)" onClick={() => void end.run(model, 'now')}>
          {end.now}
        </Button>
        <Button data-autofocus disabled={done} onClick={() => void cancelQuit(model)}>
          Keep running
        </Button>
      </DialogFoot>
    </Dialog>
  );
}

/** Keeps the plan current: fetches it again whenever clients or calls change. */
function useFreshPlan(first: QuitPlan): QuitPlan {
  const clients = useClients();
  const calls = useServers(({ byKey }) =>
    Object.values(byKey).reduce((sum, { activeCalls }) => sum + activeCalls, 0),
  );
  return knownValue(useEngine('app.quitPlan', undefined, { again: [clients, calls] })) ?? first;
}
