import type { ReactNode } from 'react';
import classes from './settings-view.module.css';

/** Titled rows of settings. */
export function SettingGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.group} aria-label={title}>
      <h2 className={classes.title}>{title}</h2>
      <div className={classes.rows}>{children}</div>
    </section>
  );
}
