import { useStore } from 'zustand/react';
import { useModel } from '../store/model-context.tsx';

/** Announces changes to screen readers. The key makes a repeated message count as a new one. */
export function LiveRegion() {
  const { message, turn } = useStore(useModel().announcer);
  return (
    <div role="status" aria-live="polite" className="visually-hidden">
      <span key={turn}>{message}</span>
    </div>
  );
}
