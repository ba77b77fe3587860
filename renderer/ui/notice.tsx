import type { ReactNode } from 'react';
import classes from './notice.module.css';

interface NoticeProps {
  /** Its name to screen readers. */
  readonly label: string;
  readonly icon: ReactNode;
  readonly title: ReactNode;
  readonly text?: ReactNode;
  readonly tone?: 'accent' | 'quiet' | 'good' | 'warning' | 'bad';
  /** Buttons beside the words. */
  readonly actions?: ReactNode;
  /** More, below the words over the whole width. */
  readonly children?: ReactNode;
}

/** Something that goes on or has come about, and is no failure: what, and what can be done now. */
export function Notice({ label, icon, title, text, tone = 'accent', actions, children }: NoticeProps) {
  return (
    <section className={classes.notice} data-tone={tone} aria-label={label}>
      <span className={classes.icon} aria-hidden>
        {icon}
      </span>
      <div role="status" className={classes.words}>
        <p className={classes.title}>{title}</p>
        {text !== undefined && <p className={classes.text}>{text}</p>}
      </div>
      {actions}
      {children !== undefined && <div className={classes.below}>{children}</div>}
    </section>
  );
}
