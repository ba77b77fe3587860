import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react';

interface KeptPlace {
  readonly ref: RefObject<HTMLDivElement | null>;
  readonly onFocus: (event: FocusEvent<HTMLElement>) => void;
  readonly onBlur: (event: FocusEvent<HTMLElement>) => void;
}

/**
 * For a part of the window with a list whose lines go away by what is done in them: the keyboard stays at that place of the
 * list, in the line that has moved up; with no line left it goes to the part, or to the view. `rows` is another value
 * whenever others are listed.
 */
export function useKeptPlace(rows: unknown, linesOf = firstList): KeptPlace {
  const part = useRef<HTMLDivElement>(null);
  const place = useRef<number>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at whenever other rows are listed
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
      // Taken away with its line it is not left by anybody, and from a menu one comes back.
      const isLeft = target.isConnected && relatedTarget?.closest('[role="menu"]') == null;
      if (isLeft) place.current = undefined;
    },
  };
}

const reachable = 'button:not(:disabled), input:not(:disabled):not([tabindex="-1"])';

function firstList(part: HTMLElement | null): readonly Element[] {
  return [...(part?.querySelector('ul')?.children ?? [])];
}
