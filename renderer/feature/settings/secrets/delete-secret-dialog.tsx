import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Problem } from '../../../../shared/error/problem.ts';
import type { SecretUse } from '../../../../shared/model/hub/secret.ts';
import { deleteSecret } from '../../../command/app/secret-actions.ts';
import { joinWords } from '../../../lib/text/join-words.ts';
import { useModel } from '../../../store/model-context.tsx';
import { Dialog, DialogFoot } from '../../../ui/dialog/dialog.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import classes from './secrets-page.module.css';

interface DeleteSecretDialogProps {
  readonly name: string;
  readonly usedBy: readonly SecretUse[];
  readonly onClose: () => void;
}

/** Confirms deleting a secret, whose value cannot be restored. */
export function DeleteSecretDialog({ name, usedBy, onClose }: DeleteSecretDialogProps) {
  const model = useModel();
  const [problem, setProblem] = useState<Problem>();
  async function run(): Promise<void> {
    const failed = await deleteSecret(model, name);
    if (failed === undefined) onClose();
    else setProblem(failed);
  }
  const users = usedBy.map(({ key }) => key);
  return (
    <Dialog title={`Delete ${name}?`} onClose={onClose} size={440}>
      <div className={classes.fields}>
        <p>
          {users.length === 0
            ? 'No server uses it. The value cannot be restored.'
            : `${joinWords(users, 4)} cannot start without it. The value cannot be restored.`}
        </p>
        {problem !== undefined && <ProblemCard problem={problem} about={name} />}
      </div>
      <DialogFoot>
        <Button variant="default" onClick={onClose} data-autofocus>
          Keep it
        </Button>
        <Button variant="light" color="red" onClick={() => void run()}>
          Delete
        </Button>
      </DialogFoot>
    </Dialog>
  );
}
