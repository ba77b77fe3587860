import { Button } from '@mantine/core';
import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand/react';
import type { Problem } from '../../../../../shared/error/problem.ts';
import { discardDraftAndGo } from '../../../../command/navigate.ts';
import { commentsField, type FieldSides, fieldSides } from '../../../../lib/entry/field-sides.ts';
import { useModel } from '../../../../store/model-context.tsx';
import { titleOf } from '../../../../store/server-title.ts';
import { closeDialog, type DraftConflict } from '../../../../store/view-store.ts';
import { Dialog, DialogFoot } from '../../../../ui/dialog/dialog.tsx';
import { ProblemCard } from '../../../../ui/problem-card.tsx';
import { saveDraft } from './draft-actions.ts';
import classes from './draft-conflict-dialog.module.css';

/**
 * Asks which values to keep where both the file and the draft changed a field. Nothing is saved before that.
 */
export function DraftConflictDialog({ conflict }: { conflict: DraftConflict }) {
  const model = useModel();
  const draft = useStore(model.draft, (state) => state.draft);
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const close = () => closeDialog(model.view);
  const { fields, theirs, to } = conflict;
  async function save(keep: 'mine' | 'theirs'): Promise<void> {
    setBusy(true);
    const outcome = await saveDraft(model, { to, resolve: { keep, seen: theirs } });
    setBusy(false);
    setProblem(outcome.kind === 'refused' ? outcome.problem : undefined);
    if (outcome.kind !== 'saved') return;
    if (to === undefined) close();
    else discardDraftAndGo(model, to);
  }
  if (draft === undefined) return null;
  return (
    <Dialog
      title={`${titleOf(model, draft.originalKey)} was changed in the file too`}
      onClose={close}
      size={620}
    >
      <div className={classes.body}>
        <p className="soft">
          {fields.length === 1 ? 'This field has' : 'These fields have'} a new value here and another one in
          the config file. All other changes, yours and those in the file, are kept either way.
        </p>
        <Sides sides={fieldSides(fields, draft.text, theirs)} />
        {problem !== undefined && <ProblemCard problem={problem} about={draft.originalKey} />}
      </div>
      <DialogFoot>
        <Button variant="default" onClick={close} data-autofocus>
          Keep editing
        </Button>
        <Button variant="default" disabled={busy} onClick={() => void save('theirs')}>
          Use the file’s
        </Button>
        <Button disabled={busy} onClick={() => void save('mine')}>
          Keep mine
        </Button>
      </DialogFoot>
    </Dialog>
  );
}

function Sides({ sides }: { sides: readonly FieldSides[] }) {
  const [reveal, setReveal] = useState(false);
  const Icon = reveal ? EyeOff : Eye;
  return (
    <div>
      <div className={classes.sides}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Yours</th>
              <th scope="col">In the file</th>
            </tr>
          </thead>
          <tbody>
            {sides.map(({ field, mine, theirs, secret }) => (
              <tr key={field}>
                <th scope="row">{field === commentsField ? 'Comments' : field}</th>
                <Value text={mine} hidden={secret && !reveal} />
                <Value text={theirs} hidden={secret && !reveal} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {sides.some(({ secret }) => secret) && (
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          mt={6}
          leftSection={<Icon size={13} aria-hidden />}
          onClick={() => setReveal(!reveal)}
        >
          {reveal ? 'Hide values' : 'Reveal values'}
        </Button>
      )}
    </div>
  );
}

function Value({ text, hidden }: { text: string | undefined; hidden: boolean }) {
  if (text === undefined) return <td className="dim">Removed</td>;
  return <td className={classes.value}>{hidden ? '••••••••' : text}</td>;
}
