import { useEffect, useEffectEvent } from 'react';

/**
 * Runs on Ctrl+Enter anywhere in the tester, also when nothing is focused, as after the button that opened it
 * has disappeared.
 */
export function useRunKey(run: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const isRun = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    if (!isRun || !isOurs(event.target)) return;
    event.preventDefault();
    // The editor would insert a new line.
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
