import { useEffect, useState } from 'react';

/**
 * Holds rows while they are typed. Rows without a name exist only here; all are reset when the outside value
 * changes.
 */
export function useDraftRows<T>(
  outside: readonly T[],
  hasName: (row: T) => boolean,
  onChange: (rows: readonly T[]) => void,
): readonly [readonly T[], (rows: readonly T[]) => void] {
  const [rows, setRows] = useState(outside);
  const text = JSON.stringify(outside);
  // biome-ignore lint/correctness/useExhaustiveDependencies: reacts to outside changes only, not to typing
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
