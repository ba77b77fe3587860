import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react';

interface RowFocus {
  readonly ref: RefObject<HTMLDivElement | null>;
  readonly onFocus: (event: FocusEvent<HTMLElement>) => void;
  readonly onBlur: (event: FocusEvent<HTMLElement>) => void;
}

/**
 * For a part with a list whose rows disappear when used: keeps the focus at the same position, in the row
 * that has moved up; without rows it goes to the part or the view. `rows` must change whenever other rows are
 * listed.
 */
export function useRowFocus(rows: unknown, linesOf = firstList): RowFocus {
  const part = useRef<HTMLDivElement>(null);
  const place = useRef<number>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever other rows are listed
  useLayoutEffect(() => {
    const { activeElement, body } = document;
    if (place.current === undefined || (activeElement !== null && activeElement !== body)) return;
    const lines = linesOf(part.current);
    const line = lines[Math.min(place.current, lines.length - 1)] ?? part.current;
    const next = line?.querySelector<HTMLElement>(reachable) ?? part.current?.closest('main');
    next?.focus({ preventScroll: true });
  }, [rows]);
  return {
    ref: part,
    onFocus: ({ target }) => {
      const index = linesOf(part.current).findIndex((line) => line.contains(target));
      if (index !== -1) place.current = index;
    },
    onBlur: ({ target, relatedTarget }) => {
      // An element removed with its row was not left by the user, and focus comes back from a menu.
      const isLeft = target.isConnected && relatedTarget?.closest('[role="menu"]') == null;
      if (isLeft) place.current = undefined;
    },
  };
}

const reachable = 'button:not(:disabled), input:not(:disabled):not([tabindex="-1"])';

function firstList(part: HTMLElement | null): readonly Element[] {
  return [...(part?.querySelector('ul')?.children ?? [])];
}
