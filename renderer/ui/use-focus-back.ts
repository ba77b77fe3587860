import { useEffect, useLayoutEffect, useRef } from 'react';

/**
 * Returns the focus, when a dialog closes, to the element it was opened from; if that is gone, to the dialog
 * behind or the view. Anything that has taken the focus meanwhile keeps it.
 */
export function useRestoreFocus(): void {
  const opener = useRef<Element>(null);
  useLayoutEffect(() => {
    opener.current = currentOpener();
  }, []);
  useEffect(() => () => restoreFocus(opener.current), []);
}

/** Returns the focused element; for a menu item, whose menu closes by itself, the menu's button. */
export function currentOpener(): Element | null {
  const { activeElement } = document;
  const menu = activeElement?.closest('[role="menu"]');
  const button = menu?.getAttribute('aria-labelledby');
  return typeof button === 'string' ? document.getElementById(button) : activeElement;
}

/** Does nothing if something other than a part of `leaving` has the focus. */
export function restoreFocus(opener: Element | null, leaving: Element | null = null): void {
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
