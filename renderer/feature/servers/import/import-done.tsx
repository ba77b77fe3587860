import { Button } from '@mantine/core';
import { CircleCheck, CircleSlash, FileCheck, KeyRound } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Problem } from '../../../../shared/error/problem.ts';
import type { ImportPreview, ImportResult } from '../../../../shared/model/import-session.ts';
import { formatCount } from '../../../lib/format-amount.ts';
import { joinWords } from '../../../lib/join-words.ts';
import { useModel } from '../../../store/model-context.tsx';
import { DialogFoot } from '../../../ui/dialog.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import classes from './import-servers.module.css';

interface ImportDoneProps {
  readonly preview: ImportPreview;
  readonly result: ImportResult;
  readonly onRetry: () => void;
  readonly onClose: () => void;
}

/** What came of an import, and the way back. */
export function ImportDone({ preview, result, onRetry, onClose }: ImportDoneProps) {
  const model = useModel();
  const [undoing, setUndoing] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const { added, failed, secrets, replaced, undoId } = result;
  async function undo(id: string): Promise<void> {
    setUndoing(true);
    const answer = await model.link.call('import.undo', { undoId: id });
    setUndoing(false);
    if (!answer.ok) return setProblem(answer.problem);
    model.notify.done('The import was undone.');
    onClose();
  }
  return (
    <div className={classes.body}>
      <div className={classes.scroll} role="status">
        {added.length > 0 && (
          <Line icon={<CircleCheck size={16} />} tone="good">
            {joinWords(added, 8)} {added.length === 1 ? 'was' : 'were'} added and{' '}
            {added.length === 1 ? 'is' : 'are'} starting.
          </Line>
        )}
        {added.length === 0 && (
          <Line icon={<CircleSlash size={16} />} tone="bad">
            Nothing was added.
          </Line>
        )}
        {secrets.length > 0 && (
          <Line icon={<KeyRound size={16} />}>
            {formatCount(secrets.length, 'secret')} {secrets.length === 1 ? 'is' : 'are'} in the vault:{' '}
            {joinWords(secrets, 6)}.
          </Line>
        )}
        {replaced?.kind === 'written' && (
          <Line icon={<FileCheck size={16} />}>
            {preview.title} has Patchbay in their place. A copy of its file is kept
            {replaced.backup === undefined ? '.' : ': '}
            {replaced.backup !== undefined && <code className="selectable">{replaced.backup}</code>}
          </Line>
        )}
        {replaced?.kind === 'refused' && <ProblemCard problem={replaced.problem} about={preview.title} />}
        {failed.map((one) => (
          <div key={one.key} className={classes.part}>
            <h3 className={classes.heading}>{one.key} was not added</h3>
            <ProblemCard problem={one.problem} about={one.key} />
          </div>
        ))}
        {problem !== undefined && <ProblemCard problem={problem} />}
      </div>
      <DialogFoot>
        {undoId !== undefined && (
          <Button variant="default" loading={undoing} onClick={() => void undo(undoId)}>
            Undo
          </Button>
        )}
        {failed.length > 0 && (
          <Button variant="default" onClick={onRetry}>
            Back to what is left
          </Button>
        )}
        <Button onClick={onClose} data-autofocus>
          Done
        </Button>
      </DialogFoot>
    </div>
  );
}

function Line({ icon, tone, children }: { icon: ReactNode; tone?: 'good' | 'bad'; children: ReactNode }) {
  return (
    <p className={classes.outcome} data-tone={tone}>
      <span aria-hidden>{icon}</span>
      <span>{children}</span>
    </p>
  );
}
