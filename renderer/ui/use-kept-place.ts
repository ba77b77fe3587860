import { type FocusEvent, useLayoutEffect, useRef } from 'react';

interface KeptPlace {
  readonly ref: (part: HTMLElement | null) => void;
  readonly onFocus: (event: FocusEvent<HTMLElement>) => void;
  readonly onBlur: (event: FocusEvent<HTMLElement>) => void;
}

/**
 * For a part of the window with a list whose lines go away by what is done in them: the keyboard stays at that place of the
 * list, in the line that has moved up; with no line left it goes to the part, or to the view. `rows` is another value
 * whenever others are listed.
 */
export function useKeptPlace(rows: unknown): KeptPlace {
  const part = useRef<HTMLElement>(null);
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
    ref: (element) => {
      part.current = element;
    },
    onFocus: ({ target }) => {
      const index = linesOf(part.current).findIndex((line) => line.contains(target));
      if (index !== -1) place.current = index;
    },
    onBlur: ({ target }) => {
      // Taken away with its line it is not left by anybody.
      if (target.isConnected) place.current = undefined;
    },
  };
}

const reachable = 'button:not(:disabled), input:not(:disabled)';

/** Of the first list in it. */
function linesOf(part: HTMLElement | null): readonly Element[] {
  return [...(part?.querySelector('ul')?.children ?? [])];
}
