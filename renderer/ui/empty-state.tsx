import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import classes from './empty-state.module.css';

interface EmptyStateProps {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly text: ReactNode;
  readonly children?: ReactNode;
}

/** Shown when a view has nothing to list: the reason, and what to do. */
export function EmptyState({ icon: Icon, title, text, children }: EmptyStateProps) {
  return (
    <div className={`row ${classes.empty}`}>
      <span className={classes.icon}>
        <Icon size={22} strokeWidth={1.6} aria-hidden />
      </span>
      <h2 className={classes.title}>{title}</h2>
      <p className={classes.text}>{text}</p>
      {children !== undefined && <div className={classes.actions}>{children}</div>}
    </div>
  );
}
