import { type RefObject, useLayoutEffect, useRef } from 'react';
import { focusRow } from '../../../ui/use-list-keys.ts';

/**
 * Keeps the keyboard focus in the list. Opening or closing a page recreates the rows; if that removed the
 * focused element, focus moves to that server's row or the one now in its place.
 */
export function useRestoredRowFocus(
  table: RefObject<HTMLElement | null>,
  keys: readonly string[],
  openKey: string | undefined,
): void {
  const before = useRef({ openKey, index: 0 });
  useLayoutEffect(() => {
    const index = openKey === undefined ? -1 : keys.indexOf(openKey);
    const position = index === -1 ? before.current.index : index;
    const isOther = before.current.openKey !== openKey;
    before.current = { openKey, index: position };
    const { activeElement, body } = document;
    if (!isOther || table.current === null || (activeElement !== null && activeElement !== body)) return;
    focusRow(table.current, Math.max(0, Math.min(position, keys.length - 1)));
  });
}
