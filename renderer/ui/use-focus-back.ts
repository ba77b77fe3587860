import { useEffect, useLayoutEffect, useRef } from 'react';

/**
 * Gives the keyboard back, when a dialog goes, to what it was opened from; where that is gone by then, to the dialog
 * behind or the view. What has taken it meanwhile keeps it.
 */
export function useFocusBack(): void {
  const opener = useRef<Element>(null);
  useLayoutEffect(() => {
    opener.current = openerNow();
  }, []);
  useEffect(() => () => giveBack(opener.current), []);
}

/** What has the keyboard; of an item of a menu, which closes by itself, the button that the menu belongs to. */
export function openerNow(): Element | null {
  const { activeElement } = document;
  const menu = activeElement?.closest('[role="menu"]');
  const button = menu?.getAttribute('aria-labelledby');
  return typeof button === 'string' ? document.getElementById(button) : activeElement;
}

/** Unless something else than a part of `leaving` has the keyboard. */
export function giveBack(opener: Element | null, leaving: Element | null = null): void {
  const { activeElement, body } = document;
  const isFree = activeElement === null || activeElement === body || leaving?.contains(activeElement);
  if (isFree !== true) return;
  const isThere = opener?.isConnected === true && opener !== body;
  const place = isThere ? opener : placeBehind(leaving);
  if (place instanceof HTMLElement) place.focus({ preventScroll: true });
}

function placeBehind(leaving: Element | null): Element | null {
  const dialogs = [...document.querySelectorAll('[role="dialog"][aria-modal="true"]')];
  return dialogs.findLast((dialog) => dialog !== leaving) ?? document.getElementById('content');
}
