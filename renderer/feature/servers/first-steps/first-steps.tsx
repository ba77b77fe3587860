import { ActionIcon, Button } from '@mantine/core';
import { X } from 'lucide-react';
import { useEffect } from 'react';
import { useStore } from 'zustand/react';
import { saveSettings } from '../../../command/app-actions.ts';
import { openView } from '../../../command/navigate.ts';
import type { Model } from '../../../store/model.ts';
import { useClients, useModel, useServers } from '../../../store/model-context.tsx';
import { useConnectClients } from '../../../store/use-connect-clients.ts';
import classes from './first-steps.module.css';
import { missingSteps, type Step, type StepId } from './steps.ts';

/** What is still missing to the first proven call; nothing once it was made, or somebody has put this away. */
export function FirstSteps() {
  const hidden = useStore(useModel().mirrors.settings, (settings) => settings?.firstStepsDone ?? true);
  return hidden ? null : <MissingSteps />;
}

function MissingSteps() {
  const model = useModel();
  const clients = useClients();
  const servers = useServers((state) => state.order.length);
  const state = useConnectClients();
  const known = state.kind === 'known' ? state.clients : [];
  const steps = missingSteps({ servers, clients, known });
  const isDone = steps.length === 0;
  useEffect(() => {
    if (isDone) putAway(model);
  }, [isDone, model]);
  if (isDone || state.kind === 'loading') return null;
  return (
    <section className={classes.frame} aria-label="First steps">
      <ol className={classes.steps}>
        {steps.map((step) => (
          <StepLine key={step.id} step={step} />
        ))}
      </ol>
      <ActionIcon aria-label="Put the first steps away" onClick={() => putAway(model)}>
        <X size={15} aria-hidden />
      </ActionIcon>
    </section>
  );
}

function StepLine({ step: { id, state } }: { step: Step }) {
  const model = useModel();
  const { title, text, deed } = words[id];
  return (
    <li className={classes.step} data-state={state}>
      <div className={classes.words}>
        <h2 className={classes.title}>
          {title}
          <span className={classes.state}>{state === 'now' ? 'next' : 'after that'}</span>
        </h2>
        <p>{text}</p>
      </div>
      {state === 'now' && deed !== undefined && (
        <Button size="xs" onClick={() => deed.act(model)}>
          {deed.verb}
        </Button>
      )}
    </li>
  );
}

/** Failing to remember it only means that it comes back. */
function putAway(model: Model): void {
  void saveSettings(model, { firstStepsDone: true });
}

interface StepWords {
  readonly title: string;
  readonly text: string;
  /** Absent where the page around it has the ways to do it. */
  readonly deed?: { readonly verb: string; readonly act: (model: Model) => void };
}

const words: Readonly<Record<StepId, StepWords>> = {
  server: {
    title: 'Add a server',
    text: 'By form, out of another client, or from any text that holds its config.',
  },
  client: {
    title: 'Connect a client',
    text: 'Patchbay shows the one entry that it writes into its config, and can take it out again.',
    deed: { verb: 'Connect a client', act: (model) => openView(model, 'clients') },
  },
  call: {
    title: 'Prove it with a call',
    text: 'Prove the connection on the Clients page, or ask your client to use a tool.',
    deed: { verb: 'Go to Clients', act: (model) => openView(model, 'clients') },
  },
};
