import { Button, Progress } from '@mantine/core';
import { Play, PowerOff, Square } from 'lucide-react';
import { comboForAria } from '../../lib/key-combo.ts';
import { useModel } from '../../store/model-context.tsx';
import type { TryRun } from '../../store/tester-store.ts';
import { KeyHint } from '../../ui/key-hint.tsx';
import { Notice } from '../../ui/notice.tsx';
import classes from './run-bar.module.css';

interface RunBarProps {
  readonly verb: string;
  readonly name: string;
  readonly run: TryRun | undefined;
  /** Whether something that is switched off is to be run. */
  readonly asking: boolean;
  readonly onRun: (evenIfOff: boolean) => void;
  readonly onCancel: () => void;
  readonly onRefuse: () => void;
}

/** Starts a run, tells how far it is, and ends it. */
export function RunBar({ verb, name, run, asking, onRun, onCancel, onRefuse }: RunBarProps) {
  const { mac } = useModel();
  return (
    <div className={classes.bar}>
      {asking && (
        <Notice
          label="It is switched off"
          icon={<PowerOff size={15} />}
          title={`${name} is switched off`}
          text="Clients cannot use it. You can run it here all the same; it stays off for them."
          actions={
            <>
              <Button variant="default" onClick={onRefuse}>
                Leave it
              </Button>
              <Button onClick={() => onRun(true)}>Run it once</Button>
            </>
          }
        />
      )}
      {run?.kind === 'running' ? (
        <Running run={run} onCancel={onCancel} />
      ) : (
        <div className={classes.line}>
          <Button
            leftSection={<Play size={13} aria-hidden />}
            aria-keyshortcuts={comboForAria('mod+enter', mac)}
            onClick={() => onRun(false)}
          >
            {verb}
          </Button>
          <KeyHint combo="mod+enter" />
        </div>
      )}
    </div>
  );
}

function Running({ run, onCancel }: { run: Extract<TryRun, { kind: 'running' }>; onCancel: () => void }) {
  const { progress } = run;
  const share =
    progress?.total === undefined || progress.total <= 0
      ? undefined
      : Math.min(100, (progress.progress / progress.total) * 100);
  return (
    <div className={classes.running}>
      <div className={classes.line}>
        <Button variant="default" leftSection={<Square size={12} aria-hidden />} onClick={onCancel}>
          Cancel
        </Button>
        <p className={classes.words} role="status">
          {progress === undefined ? 'It is running.' : progressWords(progress)}
        </p>
      </div>
      <Progress
        size="sm"
        value={share ?? 100}
        animated={share === undefined}
        striped={share === undefined}
        aria-label="Progress of the run"
      />
    </div>
  );
}

function progressWords({
  progress,
  total,
  message,
}: NonNullable<Extract<TryRun, { kind: 'running' }>['progress']>) {
  const count = total === undefined ? String(progress) : `${progress} of ${total}`;
  return message === undefined ? count : `${count}: ${message}`;
}
