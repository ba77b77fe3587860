import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { useStore } from 'zustand/react';
import { paletteName } from '../../lib/palette-name.ts';
import { useModel } from '../../store/model-context.tsx';

/**
 * Focuses the panel when asked to, or shows its calls in front of an open dialog. The returned function
 * restores the previous focus, which also happens when the panel disappears while focused.
 */
export function usePanelFocus(panel: RefObject<HTMLElement | null>): () => void {
  const { approval } = useModel();
  const wanted = useStore(approval, (state) => state.wanted);
  const previousFocus = useRef<Element | null>(null);
  useEffect(() => {
    if (!wanted) return;
    if (isCovered()) {
      approval.setState({ wanted: false, inFront: true });
      return;
    }
    const { activeElement } = document;
    if (panel.current?.contains(activeElement) !== true) previousFocus.current = activeElement;
    panel.current?.focus();
    approval.setState({ wanted: false });
  }, [approval, panel, wanted]);
  const restoreFocus = useCallback(() => {
    const { current } = previousFocus;
    const isThere = current?.isConnected === true && current !== document.body;
    const target = isThere ? current : document.getElementById('content');
    if (target instanceof HTMLElement) target.focus();
  }, []);
  useLayoutEffect(
    () => () => {
      if (panel.current?.contains(document.activeElement) === true) restoreFocus();
      approval.setState({ folded: false, inFront: false, openId: undefined });
    },
    [approval, panel, restoreFocus],
  );
  return restoreFocus;
}

/** Returns whether a menu or dialog covers the panel. The palette does not count, since it is closing. */
function isCovered(): boolean {
  const open = document.querySelectorAll(`[role="menu"], [role="dialog"]:not([aria-label="${paletteName}"])`);
  return open.length > 0;
}
