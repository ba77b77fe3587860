import type { ReactNode } from 'react';
import type { Tone } from '../../shared/model/server/server-look.ts';
import classes from './figures.module.css';

interface FiguresProps {
  /** True outside a card: without lines between them. */
  readonly isPlain?: boolean;
  readonly children: ReactNode;
}

/** Shows a few key numbers side by side. */
export function Figures({ isPlain = false, children }: FiguresProps) {
  return (
    <dl className={classes.figures} data-plain={isPlain}>
      {children}
    </dl>
  );
}

interface FigureProps {
  readonly label: string;
  readonly note?: string;
  readonly tone?: Tone | undefined;
  readonly children: ReactNode;
}

export function Figure({ label, note, tone, children }: FigureProps) {
  return (
    <div>
      <dt className={classes.label} title={label}>
        {label}
      </dt>
      <dd className={classes.value} data-tone={tone}>
        {children}
      </dd>
      {note !== undefined && <dd className={classes.note}>{note}</dd>}
    </div>
  );
}

/** Shows the unit or the limit of a figure. */
export function FigureUnit({ children }: { children: ReactNode }) {
  return <span className={classes.unit}>{children}</span>;
}
