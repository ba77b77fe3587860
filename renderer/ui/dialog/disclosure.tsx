import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import classes from './disclosure.module.css';

interface DisclosureProps {
  readonly title: string;
  /** Short description of the content, shown while closed. */
  readonly summary: string;
  /** True if there is an error inside. */
  readonly bad?: boolean;
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
  readonly children: ReactNode;
}

/**
 * A part of a form that opens on click and shows a summary while closed. Its content is rendered only while
 * open.
 */
export function Disclosure({ title, summary, bad = false, open, onOpen, children }: DisclosureProps) {
  return (
    <details className={classes.part} open={open} onToggle={(event) => onOpen(event.currentTarget.open)}>
      <summary className={`row ${classes.head}`}>
        <ChevronRight size={14} aria-hidden />
        <span className="fixed medium">{title}</span>
        {!open && (
          <span className={`truncate ${classes.summary}`} data-bad={bad}>
            {summary}
          </span>
        )}
      </summary>
      {open && <div className={classes.body}>{children}</div>}
    </details>
  );
}
