import { Button, Progress } from '@mantine/core';
import { CircleAlert, Play, PowerOff, Square } from 'lucide-react';
import { comboForAria } from '../../../lib/key-combo.ts';
import { useModel } from '../../../store/model-context.tsx';
import type { TryRun } from '../../../store/tester-store.ts';
import { Notice } from '../../../ui/notice.tsx';
import { KeyHint } from '../../../ui/text/key-hint.tsx';
import classes from './run-bar.module.css';

/** Why a run needs confirmation first. */
export type RunConfirmation =
  /** The tool is turned off for clients. */
  | { readonly kind: 'off' }
  /** Required arguments are missing. */
  | { readonly kind: 'missing'; readonly missing: readonly string[] };

interface RunBarProps {
  readonly verb: string;
  readonly name: string;
  readonly run: TryRun | undefined;
  readonly confirmation: RunConfirmation | undefined;
  /** Called with the doubt that the user has confirmed. */
  readonly onRun: (confirmed?: RunConfirmation) => void;
  readonly onCancel: () => void;
  readonly onDecline: () => void;
}

/** Starts a run, shows its progress and cancels it. */
export function RunBar({ verb, name, run, confirmation, onRun, onCancel, onDecline }: RunBarProps) {
  const { mac } = useModel();
  return (
    <div className={classes.bar}>
      {confirmation !== undefined && (
        <ConfirmationNotice
          confirmation={confirmation}
          name={name}
          onConfirm={() => onRun(confirmation)}
          onDecline={onDecline}
        />
      )}
      {run?.kind === 'running' ? (
        <Running run={run} onCancel={onCancel} />
      ) : (
        <div className="row min-0 gap-10">
          <Button
            leftSection={<Play size={13} aria-hidden />}
            aria-keyshortcuts={comboForAria('mod+enter', mac)}
            onClick={() => onRun()}
          >
            {verb}
          </Button>
          <KeyHint combo="mod+enter" />
        </div>
      )}
    </div>
  );
}

interface ConfirmationNoticeProps {
  readonly confirmation: RunConfirmation;
  readonly name: string;
  readonly onConfirm: () => void;
  readonly onDecline: () => void;
}

function ConfirmationNotice({ confirmation, name, onConfirm, onDecline }: ConfirmationNoticeProps) {
  const isOff = confirmation.kind === 'off';
  return (
    <Notice
      label={isOff ? 'Turned off' : 'Missing fields'}
      icon={isOff ? <PowerOff size={15} /> : <CircleAlert size={15} />}
      title={isOff ? `${name} is turned off` : `Missing: ${confirmation.missing.join(', ')}`}
      text={
        isOff
          ? 'Clients cannot use it. You can still run it here; it stays off for them.'
          : 'Nothing was sent. Fill in the fields, or run anyway to see how the server responds.'
      }
      actions={
        <>
          <Button variant="default" onClick={onDecline}>
            {isOff ? 'Cancel' : 'Go to field'}
          </Button>
          <Button onClick={onConfirm}>{isOff ? 'Run once' : 'Run anyway'}</Button>
        </>
      }
    />
  );
}

function Running({ run, onCancel }: { run: Extract<TryRun, { kind: 'running' }>; onCancel: () => void }) {
  const { progress } = run;
  const percent =
    progress?.total === undefined || progress.total <= 0
      ? undefined
      : Math.min(100, (progress.progress / progress.total) * 100);
  return (
    <div className="flex gap-8 column">
      <div className="row min-0 gap-10">
        <Button variant="default" leftSection={<Square size={12} aria-hidden />} onClick={onCancel}>
          Cancel
        </Button>
        <p className="truncate soft numeric" role="status">
          {progress === undefined ? 'Running…' : progressText(progress)}
        </p>
      </div>
      <Progress
        size="sm"
        value={percent ?? 100}
        animated={percent === undefined}
        striped={percent === undefined}
        aria-label="Progress of the run"
      />
    </div>
  );
}

function progressText({
  progress,
  total,
  message,
}: NonNullable<Extract<TryRun, { kind: 'running' }>['progress']>) {
  const count = total === undefined ? String(progress) : `${progress} of ${total}`;
  return message === undefined ? count : `${count}: ${message}`;
}
