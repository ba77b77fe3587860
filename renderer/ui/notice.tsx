import type { ReactNode } from 'react';
import classes from './notice.module.css';

interface NoticeProps {
  /** Name for screen readers. */
  readonly label: string;
  readonly icon: ReactNode;
  readonly title: ReactNode;
  readonly text?: ReactNode;
  readonly tone?: 'accent' | 'quiet' | 'good' | 'warning' | 'bad';
  /** Buttons beside the text. */
  readonly actions?: ReactNode;
  /** More content, below the text over the full width. */
  readonly children?: ReactNode;
}

/** A notice about something that is not a failure, with what can be done now. */
export function Notice({ label, icon, title, text, tone = 'accent', actions, children }: NoticeProps) {
  return (
    <section className={`row ${classes.notice}`} data-tone={tone} aria-label={label}>
      <span className={classes.icon} aria-hidden>
        {icon}
      </span>
      <div role="status" className={classes.words}>
        <p className="strong">{title}</p>
        {text !== undefined && <p className={classes.text}>{text}</p>}
      </div>
      {actions}
      {children !== undefined && <div className={classes.below}>{children}</div>}
    </section>
  );
}
