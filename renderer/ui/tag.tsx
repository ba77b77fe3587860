import type { ReactNode } from 'react';
import classes from './tag.module.css';

/** A small fact beside a name; `title` explains it in a sentence. */
export function Tag({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <span className={classes.tag} title={title}>
      {children}
    </span>
  );
}
