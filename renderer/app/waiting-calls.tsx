import { lazy, Suspense } from 'react';
import { useStore } from 'zustand/react';
import { useShallow } from 'zustand/react/shallow';
import { useModel } from '../store/model-context.tsx';

const ApprovalsPanel = lazy(() =>
  import('../feature/approvals/approvals-panel.tsx').then((module) => ({ default: module.ApprovalsPanel })),
);

/** Shows calls that wait for approval in every view, except those just answered. */
export function WaitingCalls() {
  const { approval, mirrors } = useModel();
  const answered = useStore(approval, (state) => state.answered);
  const waiting = useStore(
    mirrors.approvals,
    useShallow((all) => all.filter(({ id }) => !answered.has(id))),
  );
  if (waiting.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <ApprovalsPanel waiting={waiting} />
    </Suspense>
  );
}
