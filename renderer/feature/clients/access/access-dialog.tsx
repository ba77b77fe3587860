import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { type IdentityAccess, identityAccessList } from '../../../lib/server/access-cell.ts';
import { useAccess } from '../../../store/hook/engine-hooks.ts';
import { useModel } from '../../../store/model-context.tsx';
import { closeDialog } from '../../../store/view-store.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import classes from './access-dialog.module.css';

interface AccessDialogProps {
  /** Identity id. */
  readonly id: string;
  readonly title: (standing: IdentityAccess) => string;
  readonly children: (standing: IdentityAccess) => ReactNode;
}

/** Shows a dialog about one identity and keeps it up to date while open. */
export function AccessDialog({ id, title, children }: AccessDialogProps) {
  const model = useModel();
  const state = useAccess();
  const standing =
    state.kind === 'known'
      ? identityAccessList(state.value).find(({ identity }) => identity.id === id)
      : undefined;
  return (
    <Dialog
      title={standing === undefined ? 'Access' : title(standing)}
      onClose={() => closeDialog(model.view)}
      size={860}
      classNames={{ content: classes.content, body: classes.body }}
    >
      {state.kind === 'loading' && (
        <div className={classes.alone} role="status" aria-label="Loading access">
          <Skeleton height={240} radius={8} />
        </div>
      )}
      {state.kind === 'failed' && (
        <div className={classes.alone}>
          <ProblemCard problem={state.problem} />
        </div>
      )}
      {state.kind === 'known' && standing === undefined && (
        <p className={classes.alone}>This client or agent was removed.</p>
      )}
      {standing !== undefined && children(standing)}
    </Dialog>
  );
}
