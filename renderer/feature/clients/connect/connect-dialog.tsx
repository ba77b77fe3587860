import { Button, Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import { useModel } from '../../../store/model-context.tsx';
import { closeDialog } from '../../../store/view-store.ts';
import { Dialog, DialogFoot } from '../../../ui/dialog/dialog.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import classes from './connect.module.css';
import { PreviewPage } from './preview-page.tsx';
import { ProofView } from './proof-view.tsx';
import { type ConnectRun, useConnectRun } from './use-connect-run.ts';

interface ConnectDialogProps {
  readonly id: string;
  readonly title: string;
  /** Remaining step in the client. */
  readonly pickup: string;
  /** Skips to the test, since the entry already exists. */
  readonly isConnected: boolean;
}

/**
 * Leads from a preview of the change to a tested connection. Nothing is written before the user has seen the
 * change.
 */
export function ConnectDialog({ id, title, pickup, isConnected }: ConnectDialogProps) {
  const { view } = useModel();
  const onClose = () => closeDialog(view);
  const run = useConnectRun(id);
  return (
    <Dialog title={`${isConnected ? 'Test' : 'Connect'} ${title}`} onClose={onClose} size={720}>
      <div className={classes.body} aria-live="polite">
        <Page run={run} title={title} pickup={pickup} />
      </div>
      <Foot run={run} title={title} onClose={onClose} />
    </Dialog>
  );
}

function Page({
  run: { step, chooseMove },
  title,
  pickup,
}: {
  run: ConnectRun;
  title: string;
  pickup: string;
}): ReactNode {
  switch (step.kind) {
    case 'previewing':
      return <ProgressText text={`Reading the config file of ${title}…`} />;
    case 'preview':
      return (
        <PreviewPage
          preview={step.preview}
          offer={step.offer}
          title={title}
          problem={step.problem}
          onMove={chooseMove}
        />
      );
    case 'quitting':
      return <ProgressText text={`Asking ${title} to quit…`} />;
    case 'applying':
      return <ProgressText text="Backing up the file and writing the change…" />;
    case 'proving':
      return <ProgressText text={`Testing the connection as ${title} would start it…`} />;
    case 'proved':
      return <ProofView proof={step.proof} title={title} pickup={pickup} />;
    case 'failed':
      return <ProblemCard problem={step.problem} about={title} open />;
  }
}

function ProgressText({ text }: { text: string }) {
  return (
    <p className={`row ${classes.waiting}`}>
      <Loader size={16} /> {text}
    </p>
  );
}

function Foot({ run, title, onClose }: { run: ConnectRun; title: string; onClose: () => void }) {
  const { step } = run;
  if (step.kind === 'preview') {
    const { preview } = step;
    const nothingToDo = preview.files.every(({ kind }) => kind === 'unchanged');
    const refused = preview.files.every(({ kind }) => kind === 'refused');
    return (
      <DialogFoot
        note={
          refused
            ? 'The file cannot be changed; it stays as it is.'
            : !nothingToDo && 'The original is backed up first.'
        }
      >
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        {preview.mustQuit ? (
          <Button onClick={run.quitClient} data-autofocus>
            Quit {title}
          </Button>
        ) : (
          <Button onClick={nothingToDo ? run.prove : run.apply} disabled={refused} data-autofocus>
            {nothingToDo ? 'Test' : 'Connect and test'}
          </Button>
        )}
      </DialogFoot>
    );
  }
  if (step.kind === 'proved') {
    return (
      <DialogFoot>
        {!step.proof.ok && (
          <Button variant="default" onClick={() => void run.undo().then(onClose)}>
            Undo
          </Button>
        )}
        {(!step.proof.ok || step.proof.tools === 0) && (
          <Button variant="default" onClick={run.prove}>
            Test again
          </Button>
        )}
        <Button onClick={onClose} data-autofocus>
          Done
        </Button>
      </DialogFoot>
    );
  }
  if (step.kind === 'failed') {
    return (
      <DialogFoot>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button onClick={run.preview}>Try again</Button>
      </DialogFoot>
    );
  }
  return null;
}
