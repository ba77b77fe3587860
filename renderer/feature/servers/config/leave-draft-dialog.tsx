import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { useStore } from 'zustand/react';
import type { Problem } from '../../../../shared/error/problem.ts';
import { discardDraftAndGo } from '../../../command/navigate.ts';
import { hasErrors } from '../../../store/draft-store.ts';
import { useModel } from '../../../store/model-context.tsx';
import { closeDialog, type Place } from '../../../store/view-store.ts';
import { DialogFoot, DialogHead } from '../../../ui/dialog-head.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { saveDraft } from './draft-actions.ts';

/** Asks before unsaved changes would be lost. Staying is what Escape and the first button do. */
export function LeaveDraftDialog({ to }: { to: Place }) {
  const model = useModel();
  const draft = useStore(model.draft, (state) => state.draft);
  const [problem, setProblem] = useState<Problem>();
  const stay = () => closeDialog(model.view);
  async function saveAndGo(): Promise<void> {
    const failed = await saveDraft(model);
    if (failed === undefined) discardDraftAndGo(model, to);
    else setProblem(failed);
  }
  if (draft === undefined) return null;
  return (
    <Modal opened onClose={stay} withCloseButton={false} size={440}>
      <DialogHead title={`Save the changes to ${draft.originalKey}?`} onClose={stay} />
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
    </Modal>
  );
}
