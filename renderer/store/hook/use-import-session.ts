import { useCallback, useRef } from 'react';
import { useModel } from '../model-context.tsx';

/** Returns a function that sets the engine's import session in use, or none; the one before is closed. */
export function useImportSession(first?: string): (next: string | undefined) => void {
  const { link } = useModel();
  const current = useRef(first);
  return useCallback(
    (next) => {
      if (current.current !== undefined) void link.call('import.close', { session: current.current });
      current.current = next;
    },
    [link],
  );
}
