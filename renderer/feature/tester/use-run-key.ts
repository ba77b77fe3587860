import { useEffect, useEffectEvent } from 'react';

/**
 * Ctrl+Enter, wherever in the tester the focus is; also where it is nowhere, as after the button that opened it has gone.
 */
export function useRunKey(run: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const isRun = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    if (!isRun || !isOurs(event.target)) return;
    event.preventDefault();
    // In the editor it would be a new line.
    event.stopPropagation();
    run();
  });
  useEffect(() => {
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, []);
}

function isOurs(target: EventTarget | null): boolean {
  return target === document.body || (target instanceof Element && target.closest('[data-tester]') !== null);
}
