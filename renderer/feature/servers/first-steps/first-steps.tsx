import { ActionIcon, UnstyledButton } from '@mantine/core';
import { ChevronRight, X } from 'lucide-react';
import { useEffect } from 'react';
import { useStore } from 'zustand/react';
import { saveSettings } from '../../../command/app/app-actions.ts';
import { openView } from '../../../command/navigate.ts';
import { useConnectClients } from '../../../store/hook/engine-hooks.ts';
import type { Model } from '../../../store/model.ts';
import { useClients, useModel, useServers } from '../../../store/model-context.tsx';
import { openDialog } from '../../../store/view-store.ts';
import classes from './first-steps.module.css';
import { missingSteps, type Step, type StepId, stepIds } from './steps.ts';

/** Shows the steps left until the first successful call; nothing once it was made or dismissed. */
export function FirstSteps() {
  const hidden = useStore(useModel().mirrors.settings, (settings) => settings?.firstStepsDone ?? true);
  return hidden ? null : <MissingSteps />;
}

function MissingSteps() {
  const model = useModel();
  const clients = useClients();
  const servers = useServers((state) => state.order.length);
  const state = useConnectClients();
  const known = state.kind === 'known' ? state.value.clients : [];
  const steps = missingSteps({ servers, clients, known });
  const isDone = steps.length === 0;
  useEffect(() => {
    if (isDone) dismiss(model);
  }, [isDone, model]);
  if (isDone || state.kind === 'loading') return null;
  return (
    <section className={classes.frame} aria-label="First steps">
      <ol className={classes.steps}>
        {steps.map((step) => (
          <StepLine key={step.id} step={step} number={stepIds.indexOf(step.id) + 1} />
        ))}
      </ol>
      <ActionIcon aria-label="Dismiss" onClick={() => dismiss(model)}>
        <X size={15} aria-hidden />
      </ActionIcon>
    </section>
  );
}

/** Renders the current step as a button and later steps as text. */
function StepLine({ step: { id, state }, number }: { step: Step; number: number }) {
  const model = useModel();
  const { title, text, act } = stepTexts[id];
  const content = (
    <>
      <span className={classes.number} aria-hidden>
        {number}
      </span>
      <span className={classes.words}>
        <span className={classes.title}>{title}</span>
        <span>{text}</span>
      </span>
    </>
  );
  return (
    <li className={classes.step} data-state={state}>
      {state === 'now' ? (
        <UnstyledButton className={`row ${classes.deed}`} onClick={() => act(model)}>
          {content}
          <ChevronRight size={16} aria-hidden />
        </UnstyledButton>
      ) : (
        <div className={`row ${classes.deed}`}>{content}</div>
      )}
    </li>
  );
}

/** Dismisses the steps for good. If saving fails, they reappear at the next start. */
function dismiss(model: Model): void {
  void saveSettings(model, { firstStepsDone: true });
}

interface StepText {
  readonly title: string;
  readonly text: string;
  readonly act: (model: Model) => void;
}

const stepTexts: Readonly<Record<StepId, StepText>> = {
  server: {
    title: 'Add a server',
    text: 'Import from an app, paste a config, or fill in a form.',
    act: ({ view }) => openDialog(view, { kind: 'add-server', how: 'paste' }),
  },
  client: {
    title: 'Connect a client',
    text: 'You see the change to its config first, and can undo it.',
    act: (model) => openView(model, 'clients'),
  },
  call: {
    title: 'Make a test call',
    text: 'Test the connection on the Clients page, or ask your client to use a tool.',
    act: (model) => openView(model, 'clients'),
  },
};
