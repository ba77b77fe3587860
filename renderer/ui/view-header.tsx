import type { ReactNode } from 'react';
import classes from './view-header.module.css';

interface ViewHeaderProps {
  readonly title: string;
  /** Short text beside the title, such as a count. */
  readonly note?: ReactNode;
  readonly children?: ReactNode;
}

/** The top line of every view: its title and its controls. */
export function ViewHeader({ title, note, children }: ViewHeaderProps) {
  return (
    <header className={`row ${classes.header}`}>
      <h1 className={classes.title}>{title}</h1>
      {note !== undefined && <span className="truncate dim small">{note}</span>}
      <div className="row fixed end gap-8">{children}</div>
    </header>
  );
}
