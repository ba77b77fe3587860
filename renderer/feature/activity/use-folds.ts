import { useMemo, useState } from 'react';
import { type FoldLine, type FoldRule, foldRows, linesOf } from './fold-rows.ts';

/** Returns the lines with repeats grouped, and a function that expands or collapses a group. */
export function useFolds<T>(
  rows: readonly T[],
  rule: FoldRule<T>,
  idOf: (row: T) => number,
): { readonly lines: readonly FoldLine<T>[]; readonly toggle: (id: number) => void } {
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const folded = useMemo(() => foldRows(rows, rule), [rows, rule]);
  const lines = useMemo(() => linesOf(folded, idOf, opened), [folded, idOf, opened]);
  const toggle = (id: number) =>
    setOpened((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  return { lines, toggle };
}
