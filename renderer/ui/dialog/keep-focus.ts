/**
 * Ref callback for an element in a dialog that keeps the focus inside: when the focused element is removed,
 * for example by the dialog's next page, the browser would drop the focus, and neither keys nor a screen
 * reader could continue.
 */
export function keepFocus(element: HTMLElement | null): (() => void) | undefined {
  const dialog = element?.closest<HTMLElement>('[role="dialog"]');
  if (dialog === undefined || dialog === null) return undefined;
  const observer = new MutationObserver(() => {
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body) dialog.focus({ preventScroll: true });
  });
  observer.observe(dialog, { childList: true, subtree: true });
  return () => observer.disconnect();
}
