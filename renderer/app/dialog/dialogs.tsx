import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useView } from '../../store/model-context.tsx';
import type { Dialog as DialogState, PasteStart } from '../../store/view-store.ts';

const Palette = lazy(() => import('../palette/palette.tsx').then((module) => ({ default: module.Palette })));
const AddServerDialog = lazy(() =>
  import('../../feature/servers/add/add-server-dialog.tsx').then((module) => ({
    default: module.AddServerDialog,
  })),
);
const LeaveDraftDialog = lazy(() =>
  import('../../feature/servers/config/draft/leave-draft-dialog.tsx').then((module) => ({
    default: module.LeaveDraftDialog,
  })),
);
const DraftConflictDialog = lazy(() =>
  import('../../feature/servers/config/draft/draft-conflict-dialog.tsx').then((module) => ({
    default: module.DraftConflictDialog,
  })),
);
const ConfirmDialog = lazy(() =>
  import('./confirm-dialog.tsx').then((module) => ({ default: module.ConfirmDialog })),
);
const ConnectDialog = lazy(() =>
  import('../../feature/clients/connect/connect-dialog.tsx').then((module) => ({
    default: module.ConnectDialog,
  })),
);
const SnippetDialog = lazy(() =>
  import('../../feature/clients/connect/snippet-dialog.tsx').then((module) => ({
    default: module.SnippetDialog,
  })),
);
const DeleteProfileDialog = lazy(() =>
  import('../../feature/clients/profiles/delete-profile-dialog.tsx').then((module) => ({
    default: module.DeleteProfileDialog,
  })),
);
const ClientDetailDialog = lazy(() =>
  import('../../feature/clients/detail/client-detail-dialog.tsx').then((module) => ({
    default: module.ClientDetailDialog,
  })),
);
const IdentityDialog = lazy(() =>
  import('../../feature/clients/access/identity-dialog.tsx').then((module) => ({
    default: module.IdentityDialog,
  })),
);
const IdentityToolsDialog = lazy(() =>
  import('../../feature/clients/access/identity-tools-dialog.tsx').then((module) => ({
    default: module.IdentityToolsDialog,
  })),
);
const NewAgentDialog = lazy(() =>
  import('../../feature/clients/access/new-agent-dialog.tsx').then((module) => ({
    default: module.NewAgentDialog,
  })),
);
const ReviewDialog = lazy(() =>
  import('../../feature/guard/review-dialog.tsx').then((module) => ({ default: module.ReviewDialog })),
);
const QuitDialog = lazy(() => import('./quit-dialog.tsx').then((module) => ({ default: module.QuitDialog })));
const TagsDialog = lazy(() =>
  import('../../feature/servers/list/tags-dialog.tsx').then((module) => ({ default: module.TagsDialog })),
);
const BackupDialog = lazy(() =>
  import('../../feature/settings/backup/backup-dialog.tsx').then((module) => ({
    default: module.BackupDialog,
  })),
);
const RestoreDialog = lazy(() =>
  import('../../feature/settings/backup/restore-dialog.tsx').then((module) => ({
    default: module.RestoreDialog,
  })),
);
const ShortcutsDialog = lazy(() =>
  import('./shortcuts-dialog.tsx').then((module) => ({ default: module.ShortcutsDialog })),
);

/**
 * Renders the palette and the open dialog, if any. Their code is loaded on demand; separate Suspense
 * boundaries keep one visible while the other loads.
 */
export function Dialogs() {
  const palette = useView((state) => state.palette);
  const paletteWanted = useOnceTrue(palette);
  return (
    <>
      <Suspense fallback={null}>{paletteWanted && <Palette />}</Suspense>
      <OpenDialog />
    </>
  );
}

function OpenDialog() {
  const dialog = useView((state) => state.dialog);
  const turn = useTurn(dialog);
  const question = useView((state) => state.question);
  return (
    <Suspense fallback={null}>
      {dialog?.kind === 'add-server' && (
        <AddServerDialog key={turn} how={dialog.how} start={dialog.start ?? nothing} />
      )}
      {dialog?.kind === 'leave-draft' && <LeaveDraftDialog to={dialog.to} />}
      {dialog?.kind === 'draft-conflict' && <DraftConflictDialog conflict={dialog.conflict} />}
      {dialog?.kind === 'delete-profile' && <DeleteProfileDialog name={dialog.name} />}
      {dialog?.kind === 'client-detail' && (
        <ClientDetailDialog key={dialog.id} id={dialog.id} page={dialog.page} />
      )}
      {dialog?.kind === 'identity' && <IdentityDialog key={dialog.id} id={dialog.id} />}
      {dialog?.kind === 'identity-tools' && (
        <IdentityToolsDialog id={dialog.id} serverKey={dialog.serverKey} />
      )}
      {dialog?.kind === 'new-agent' && <NewAgentDialog />}
      {dialog?.kind === 'review-tools' && <ReviewDialog serverKey={dialog.serverKey} />}
      {dialog?.kind === 'quit' && <QuitDialog plan={dialog.plan} version={dialog.version} />}
      {dialog?.kind === 'connect' && (
        <ConnectDialog
          id={dialog.id}
          title={dialog.title}
          pickup={dialog.pickup}
          isConnected={dialog.isConnected}
        />
      )}
      {dialog?.kind === 'connect-snippet' && <SnippetDialog id={dialog.id} title={dialog.title} />}
      {dialog?.kind === 'tags' && <TagsDialog keys={dialog.keys} />}
      {dialog?.kind === 'backup' && <BackupDialog />}
      {dialog?.kind === 'restore' && (
        <RestoreDialog key={turn} chosen={dialog.chosen} problem={dialog.problem} />
      )}
      {dialog?.kind === 'shortcuts' && <ShortcutsDialog />}
      {question !== undefined && <ConfirmDialog {...question} />}
    </Suspense>
  );
}

const nothing: PasteStart = {};

/** Counts dialogs, so that dropping something on an open dialog creates a new one. */
function useTurn(dialog: DialogState | undefined): number {
  const last = useRef({ dialog, turn: 0 });
  if (last.current.dialog !== dialog) last.current = { dialog, turn: last.current.turn + 1 };
  return last.current.turn;
}

/**
 * Stays true once the value has been true: keeps the palette mounted so that its closing can be animated.
 */
function useOnceTrue(value: boolean): boolean {
  const [seen, setSeen] = useState(value);
  useEffect(() => {
    if (value) setSeen(true);
  }, [value]);
  return seen || value;
}
