import { Button } from '@mantine/core';
import { ArchiveRestore, CircleCheck, FolderOpen, Undo2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { Problem } from '../../../../shared/error/problem.ts';
import type { IpcOutput } from '../../../../shared/ipc/contract.ts';
import type { RestoreHow } from '../../../../shared/model/backup.ts';
import { chooseBackup, notifyRestored, undoRestore } from '../../../command/backup-actions.ts';
import { formatCount } from '../../../lib/format-amount.ts';
import { useModel } from '../../../store/model-context.tsx';
import { closeDialog } from '../../../store/view-store.ts';
import { Dialog, DialogFoot } from '../../../ui/dialog.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import classes from './backup.module.css';
import { PreviewPart, RestoreChoice } from './restore-preview.tsx';

export type ChosenBackup = NonNullable<IpcOutput<'app.chooseBackup'>['chosen']>;

interface RestoreDialogProps {
  readonly chosen?: ChosenBackup | undefined;
  /** Why the chosen file cannot be used. */
  readonly problem?: Problem | undefined;
}

/** Shows the contents of a backup before anything is written or run, then the outcome. */
export function RestoreDialog({ chosen, problem }: RestoreDialogProps) {
  const model = useModel();
  const [restored, setRestored] = useState<IpcOutput<'app.restoreBackup'>>();
  const close = () => {
    if (restored !== undefined) notifyRestored(model, restored);
    closeDialog(model.view);
  };
  return (
    <Dialog
      title={restored === undefined ? 'Restore a backup' : 'Backup restored'}
      onClose={close}
      size={640}
    >
      {restored !== undefined && <Result restored={restored} onClose={close} />}
      {restored === undefined && chosen !== undefined && (
        <Decision key={chosen.id} chosen={chosen} onRestored={setRestored} onClose={close} />
      )}
      {restored === undefined && chosen === undefined && (
        <>
          <div className={classes.body}>{problem !== undefined && <ProblemCard problem={problem} />}</div>
          <DialogFoot>
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <OtherFile />
          </DialogFoot>
        </>
      )}
    </Dialog>
  );
}

interface DecisionProps {
  readonly chosen: ChosenBackup;
  readonly onRestored: (restored: IpcOutput<'app.restoreBackup'>) => void;
  readonly onClose: () => void;
}

function Decision({ chosen: { id, file, preview }, onRestored, onClose }: DecisionProps) {
  const { link } = useModel();
  const [how, setHow] = useState<RestoreHow>('replace');
  const [withSecrets, setWithSecrets] = useState(preview.secrets === 'encrypted');
  const [passphrase, setPassphrase] = useState('');
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const isRefused = problem?.code === 'backup.wrong_passphrase';
  const ready = !busy && (!withSecrets || passphrase !== '');

  async function restore(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (!ready) return;
    setBusy(true);
    setProblem(undefined);
    const answer = await link.call('app.restoreBackup', { id, how, ...(withSecrets ? { passphrase } : {}) });
    setBusy(false);
    if (answer.ok) onRestored(answer.value);
    else setProblem(answer.problem);
  }

  return (
    <form onSubmit={(event) => void restore(event)} noValidate>
      <div className={classes.body}>
        <PreviewPart file={file} preview={preview} how={how} />
        <RestoreChoice
          preview={preview}
          how={how}
          onHow={setHow}
          withSecrets={withSecrets}
          onWithSecrets={setWithSecrets}
          passphrase={passphrase}
          onPassphrase={setPassphrase}
          refusal={isRefused ? `${problem.sentence} ${problem.fix}` : undefined}
        />
        {problem !== undefined && !isRefused && <ProblemCard problem={problem} about="Restore" />}
      </div>
      <DialogFoot note="Your setup is backed up first. You can undo.">
        <OtherFile />
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          type="submit"
          leftSection={<ArchiveRestore size={14} aria-hidden />}
          disabled={!ready}
          loading={busy}
        >
          Restore
        </Button>
      </DialogFoot>
    </form>
  );
}

function OtherFile() {
  const model = useModel();
  return (
    <Button
      variant="default"
      leftSection={<FolderOpen size={14} aria-hidden />}
      onClick={() => void chooseBackup(model)}
    >
      Other file…
    </Button>
  );
}

interface ResultProps {
  readonly restored: IpcOutput<'app.restoreBackup'>;
  readonly onClose: () => void;
}

function Result({ restored, onClose }: ResultProps) {
  const model = useModel();
  const { servers, secrets, before, kept, undoId } = restored;
  const secretsText = secrets === 0 ? '' : ` and ${formatCount(secrets, 'secret')}`;
  return (
    <>
      <div className={classes.body}>
        <Notice
          label="Result"
          tone="good"
          icon={<CircleCheck size={16} />}
          title={`${formatCount(servers, 'server')}${secretsText} restored.`}
          text={[...kept, 'Servers that need a value show “Enter the value”.'].join(' ')}
        />
        <p className={classes.text}>
          Your previous setup is saved as <code className={`${classes.path} selectable`}>{before}</code>
        </p>
      </div>
      <DialogFoot>
        <Button
          variant="default"
          leftSection={<Undo2 size={14} aria-hidden />}
          onClick={() => {
            closeDialog(model.view);
            void undoRestore(model, undoId);
          }}
        >
          Undo
        </Button>
        <Button onClick={onClose} data-autofocus>
          Done
        </Button>
      </DialogFoot>
    </>
  );
}
