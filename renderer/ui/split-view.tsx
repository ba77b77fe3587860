import { type FocusEvent, type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react';
import classes from './split-view.module.css';

interface SplitViewProps {
  readonly list: ReactNode;
  /** The page of what is selected; the list has all the room without it. */
  readonly detail?: ReactNode;
  /** Which of the two keeps its width. */
  readonly fixed?: 'list' | 'detail';
  /** Called on Escape, for a page that only this view knows of. */
  readonly onClose?: () => void;
}

/** A list with the page of the selected thing beside it. Where there is no room for both, the page covers the list. */
export function SplitView({ list, detail, fixed = 'list', onClose }: SplitViewProps) {
  const open = detail !== undefined;
  const noteFocus = useWayBack(open);
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || onClose === undefined) return;
    event.preventDefault();
    onClose();
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: catches Escape of the controls inside
    <div className={classes.frame} onKeyDown={onKeyDown}>
      <div className={classes.split} data-open={open} data-fixed={fixed}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: only notes where the keyboard is */}
        <div className={classes.list} onFocus={noteFocus}>
          {list}
        </div>
        {open && <div className={classes.detail}>{detail}</div>}
      </div>
    </div>
  );
}

/** A page that closes with the keyboard in it gives it back to what had it in the list. Returns what is told of that. */
function useWayBack(open: boolean): (event: FocusEvent) => void {
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
