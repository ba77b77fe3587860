import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { useStore } from 'zustand/react';
import { paletteName } from '../../lib/palette-name.ts';
import { useModel } from '../../store/model-context.tsx';

/**
 * Takes the keyboard to the panel when that is wanted, or has its calls shown in front of what covers it. Returns what gives
 * the keyboard back to where it was, which happens too when the panel goes while it has the focus.
 */
export function usePanelFocus(panel: RefObject<HTMLElement | null>): () => void {
  const { approval } = useModel();
  const wanted = useStore(approval, (state) => state.wanted);
  const before = useRef<Element | null>(null);
  useEffect(() => {
    if (!wanted) return;
    if (isCovered()) {
      approval.setState({ wanted: false, inFront: true });
      return;
    }
    const { activeElement } = document;
    if (panel.current?.contains(activeElement) !== true) before.current = activeElement;
    panel.current?.focus();
    approval.setState({ wanted: false });
  }, [approval, panel, wanted]);
  const giveBack = useCallback(() => {
    const { current } = before;
    const isThere = current?.isConnected === true && current !== document.body;
    const place = isThere ? current : document.getElementById('content');
    if (place instanceof HTMLElement) place.focus();
  }, []);
  useLayoutEffect(
    () => () => {
      if (panel.current?.contains(document.activeElement) === true) giveBack();
      approval.setState({ folded: false, inFront: false, openId: undefined });
    },
    [approval, panel, giveBack],
  );
  return giveBack;
}

/** The palette does not count: it has been told to go. */
function isCovered(): boolean {
  const open = document.querySelectorAll(`[role="menu"], [role="dialog"]:not([aria-label="${paletteName}"])`);
  return open.length > 0;
}
