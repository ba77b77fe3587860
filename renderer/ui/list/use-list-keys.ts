import { type KeyboardEvent, useRef } from 'react';
import { type FocusWish, focusWhenRendered } from './focus-when-rendered.ts';

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
  /** The row that keys have moved to, until it has the focus; further keys start there. */
  const pending = useRef<number | undefined>(undefined);
  return (event) => {
    const step = steps[event.key];
    const row = (event.target as HTMLElement).closest<HTMLElement>('[data-row]');
    // With a modifier key they are shortcuts: Ctrl+K opens the palette from a list too.
    const isShortcut = event.ctrlKey || event.metaKey || event.altKey;
    if (step === undefined || row === null || count === 0 || isShortcut) return;
    event.preventDefault();
    const from = pending.current ?? Number(row.dataset.row);
    const next = Math.min(count - 1, Math.max(0, step(from, count)));
    pending.current = next;
    show(next);
    focusRow(event.currentTarget, next, {
      isWanted: () => pending.current === next,
      onEnd: () => {
        pending.current = undefined;
      },
    });
  };
}

/** Focuses the main control of a row, once it is rendered. */
export function focusRow(list: HTMLElement, index: number, wish: FocusWish = always): void {
  focusWhenRendered(() => list.querySelector<HTMLElement>(`[data-row="${index}"]`), wish);
}

const always: FocusWish = { isWanted: () => true, onEnd: () => {} };
