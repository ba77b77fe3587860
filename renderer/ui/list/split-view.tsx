import { type FocusEvent, type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react';
import classes from './split-view.module.css';

interface SplitViewProps {
  readonly list: ReactNode;
  /** Page of the selected item; without it the list takes all the space. */
  readonly detail?: ReactNode;
  /** The side that keeps its width. */
  readonly fixed?: 'list' | 'detail';
  /** Called on Escape, for a page that only this view controls. */
  readonly onClose?: () => void;
}

/**
 * Shows a list with the selected item's page beside it. If there is no room for both, the page covers the
 * list.
 */
export function SplitView({ list, detail, fixed = 'list', onClose }: SplitViewProps) {
  const open = detail !== undefined;
  const noteFocus = useFocusReturn(open);
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || onClose === undefined) return;
    event.preventDefault();
    onClose();
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: catches Escape of the controls inside
    <div className={classes.frame} onKeyDown={onKeyDown}>
      <div className={`grow ${classes.split}`} data-open={open} data-fixed={fixed}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: only tracks the focus */}
        <div className={classes.list} onFocus={noteFocus}>
          {list}
        </div>
        {open && <div className={classes.detail}>{detail}</div>}
      </div>
    </div>
  );
}

/**
 * Returns the focus to the list when a page with the focus closes. Returns the handler that tracks the focus.
 */
function useFocusReturn(open: boolean): (event: FocusEvent) => void {
  const last = useRef<Element>(null);
  useLayoutEffect(() => {
    const { activeElement, body } = document;
    const isFree = activeElement === null || activeElement === body;
    if (!open && isFree && last.current instanceof HTMLElement) last.current.focus({ preventScroll: true });
  }, [open]);
  return ({ target }) => {
    last.current = target;
  };
}
