import { useEffect, useState } from 'react';

/**
 * Lines as they are typed. Those without a name yet live only here; all are taken anew from outside when what they stand
 * for changes there.
 */
export function useKeptRows<T>(
  outside: readonly T[],
  hasName: (row: T) => boolean,
  onChange: (rows: readonly T[]) => void,
): readonly [readonly T[], (rows: readonly T[]) => void] {
  const [rows, setRows] = useState(outside);
  const text = JSON.stringify(outside);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change from outside counts, not typing here
  useEffect(() => {
    if (JSON.stringify(rows.filter(hasName)) !== text) setRows(outside);
  }, [text]);
  function change(next: readonly T[]): void {
    setRows(next);
    const named = next.filter(hasName);
    if (JSON.stringify(named) !== JSON.stringify(rows.filter(hasName))) onChange(named);
  }
  return [rows, change];
}
