import type { ReactNode } from 'react';
import classes from './split-view.module.css';

interface SplitViewProps {
  readonly list: ReactNode;
  /** The page of what is selected; the list has all the room without it. */
  readonly detail?: ReactNode;
  /** Which of the two keeps its width. */
  readonly fixed?: 'list' | 'detail';
}

/** A list with the page of the selected thing beside it. Where there is no room for both, the page covers the list. */
export function SplitView({ list, detail, fixed = 'list' }: SplitViewProps) {
  const open = detail !== undefined;
  return (
    <div className={classes.frame}>
      <div className={classes.split} data-open={open} data-fixed={fixed}>
        <div className={classes.list}>{list}</div>
        {open && <div className={classes.detail}>{detail}</div>}
      </div>
    </div>
  );
}
