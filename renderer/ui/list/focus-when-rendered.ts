export interface FocusWish {
  /** False once the focus should go elsewhere. */
  readonly isWanted: () => boolean;
  /** Called when the element has the focus, or was not rendered in time. */
  readonly onEnd: () => void;
}

/** Focuses an element of a virtual list, which is rendered some frames after it was scrolled to. */
export function focusWhenRendered(find: () => HTMLElement | null, wish: FocusWish, frames = maxFrames): void {
  if (!wish.isWanted()) return;
  const element = find();
  if (element === null && frames > 0) {
    requestAnimationFrame(() => focusWhenRendered(find, wish, frames - 1));
    return;
  }
  element?.focus({ preventScroll: true });
  wish.onEnd();
}

/** Half a second; a busy machine takes several frames. */
const maxFrames = 30;
