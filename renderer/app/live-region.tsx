import { useStore } from 'zustand/react';
import { useModel } from '../store/model-context.tsx';

/** Tells screen readers what changed by itself. The key makes a repeated message count as a new one. */
export function LiveRegion() {
  const { message, turn } = useStore(useModel().announcer);
  return (
    <div role="status" aria-live="polite" className="visually-hidden">
      <span key={turn}>{message}</span>
    </div>
  );
}
