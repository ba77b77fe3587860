/**
 * A ref of an element in a dialog, which keeps the focus there: when what had it is taken away, as by the next page of the
 * dialog, the browser leaves it nowhere, and neither keys nor a screen reader go on from there.
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
