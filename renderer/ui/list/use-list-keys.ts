import type { KeyboardEvent } from 'react';

interface ListKeys {
  readonly count: number;
  /** Scrolls to a row, which may not have been rendered before. */
  readonly show: (index: number) => void;
}

const steps: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowDown: (index) => index + 1,
  ArrowUp: (index) => index - 1,
  j: (index) => index + 1,
  k: (index) => index - 1,
  PageDown: (index) => index + 10,
  PageUp: (index) => index - 10,
  Home: () => 0,
  End: (_index, count) => count - 1,
};

/**
 * Handles arrow keys, j and k for a list whose rows have one main control marked `data-row={index}`. Works
 * for virtual lists: the row is scrolled to first and focused once rendered.
 */
export function useListKeys({ count, show }: ListKeys): (event: KeyboardEvent<HTMLElement>) => void {
  return (event) => {
    const step = steps[event.key];
    const row = (event.target as HTMLElement).closest<HTMLElement>('[data-row]');
    // With a modifier key they are shortcuts: Ctrl+K opens the palette from a list too.
    const isShortcut = event.ctrlKey || event.metaKey || event.altKey;
    if (step === undefined || row === null || count === 0 || isShortcut) return;
    event.preventDefault();
    const next = Math.min(count - 1, Math.max(0, step(Number(row.dataset.row), count)));
    show(next);
    focusRow(event.currentTarget, next);
  };
}

/** Focuses the main control of a row, once it is rendered. */
export function focusRow(list: HTMLElement, index: number, tries = 5): void {
  const row = list.querySelector<HTMLElement>(`[data-row="${index}"]`);
  if (row !== null) row.focus({ preventScroll: true });
  else if (tries > 0) requestAnimationFrame(() => focusRow(list, index, tries - 1));
}
