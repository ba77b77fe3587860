import type { ReactNode } from 'react';
import classes from './facts.module.css';

/** A list of labelled facts; `short` ones use two columns if there is room. */
export function Facts({ short = false, children }: { short?: boolean; children: ReactNode }) {
  return (
    <dl className={classes.facts} data-short={short}>
      {children}
    </dl>
  );
}

export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt className="dim">{label}</dt>
      <dd className="min-0 breaks selectable">{children}</dd>
    </div>
  );
}

/** A titled part of a page. */
export function Section({
  title,
  aside,
  children,
}: {
  title: string;
  aside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className={classes.section} aria-label={title}>
      <div className={`row ${classes.head}`}>
        <h3 className={classes.title}>{title}</h3>
        {aside}
      </div>
      {children}
    </section>
  );
}
