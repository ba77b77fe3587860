import { Button } from '@mantine/core';
import { useState } from 'react';
import { useStore } from 'zustand/react';
import type { Problem } from '../../../../../shared/error/problem.ts';
import { discardDraftAndGo } from '../../../../command/navigate.ts';
import { hasErrors } from '../../../../store/draft-store.ts';
import { useModel } from '../../../../store/model-context.tsx';
import { titleOf } from '../../../../store/server-title.ts';
import { closeDialog, type Place } from '../../../../store/view-store.ts';
import { Dialog, DialogFoot } from '../../../../ui/dialog/dialog.tsx';
import { ProblemCard } from '../../../../ui/problem-card.tsx';
import { saveDraft } from './draft-actions.ts';

/** Asks before unsaved changes are lost. Escape and the focused button stay on the page. */
export function LeaveDraftDialog({ to }: { to: Place }) {
  const model = useModel();
  const draft = useStore(model.draft, (state) => state.draft);
  const [problem, setProblem] = useState<Problem>();
  const stay = () => closeDialog(model.view);
  async function saveAndGo(): Promise<void> {
    const outcome = await saveDraft(model, { to });
    if (outcome.kind === 'saved') discardDraftAndGo(model, to);
    if (outcome.kind === 'refused') setProblem(outcome.problem);
  }
  if (draft === undefined) return null;
  return (
    <Dialog title={`Save the changes to ${titleOf(model, draft.originalKey)}?`} onClose={stay} size={440}>
      <div style={{ padding: '0 20px 18px' }}>
        {problem === undefined ? (
          <p>They will be lost if you leave without saving.</p>
        ) : (
          <ProblemCard problem={problem} about={draft.originalKey} />
        )}
      </div>
      <DialogFoot>
        <Button variant="light" color="red" onClick={() => discardDraftAndGo(model, to)}>
          Discard
        </Button>
        <Button variant="default" onClick={stay} data-autofocus>
          Keep editing
        </Button>
        <Button disabled={hasErrors(draft)} onClick={() => void saveAndGo()}>
          Save
        </Button>
      </DialogFoot>
    </Dialog>
  );
}
