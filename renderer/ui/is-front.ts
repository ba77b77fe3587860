/**
 * True if nothing covers this dialog: Escape belongs to the front one, even if others are open behind it.
 * Page order decides between dialogs of the same level.
 */
export function isFrontmost(dialog: Element | null): boolean {
  if (dialog === null) return true;
  const open = [...document.querySelectorAll('[role="dialog"][aria-modal="true"]')];
  const front = open.reduce((top, other) => (levelOf(other) >= levelOf(top) ? other : top), dialog);
  return front === dialog;
}

function levelOf(dialog: Element): number {
  return Number(getComputedStyle(dialog).getPropertyValue('--mb-z-index'));
}
