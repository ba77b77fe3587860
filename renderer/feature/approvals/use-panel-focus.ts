import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { useStore } from 'zustand/react';
import { useModel } from '../../store/model-context.tsx';

/**
 * Takes the keyboard to the panel when that is wanted. Returns what gives it back to where it was, which happens too when
 * the panel goes while it has the focus.
 */
export function usePanelFocus(panel: RefObject<HTMLElement | null>): () => void {
  const { approval } = useModel();
  const wanted = useStore(approval, (state) => state.wanted);
  const before = useRef<Element | null>(null);
  useEffect(() => {
    if (!wanted) return;
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
      approval.setState({ folded: false, openId: undefined });
    },
    [approval, panel, giveBack],
  );
  return giveBack;
}
