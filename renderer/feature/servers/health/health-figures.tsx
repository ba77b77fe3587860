import type { ReactNode } from 'react';
import type { ServerHealth } from '../../../../shared/model/server/health.ts';
import { formatPercent } from '../../../lib/text/format-amount.ts';
import { formatMilliseconds } from '../../../lib/text/format-time.ts';
import { Ago } from '../../../ui/text/time-text.tsx';
import classes from './health-section.module.css';
import { checkText } from './health-text.ts';

/** Shows the four key figures of a server's health. */
export function HealthFigures({ health }: { health: ServerHealth }) {
  const { responseMs, errorRate, misses, lastCheckAt, by } = health;
  return (
    <dl className={classes.figures}>
      <Figure label="Response" note="median of 5 minutes">
        {responseMs === undefined ? '–' : formatMilliseconds(responseMs)}
      </Figure>
      <Figure label="Failed calls" note="in the last 5 minutes" bad={errorRate >= 0.1}>
        {errorRate === 0 ? 'None' : formatPercent(errorRate * 100)}
      </Figure>
      <Figure label="Missed checks" note="fails after 3 in a row" bad={misses > 0}>
        {misses === 0 ? 'None' : `${misses} of 3`}
      </Figure>
      <Figure label="Last check" note={checkText(by)}>
        <Ago at={lastCheckAt} />
      </Figure>
    </dl>
  );
}

interface FigureProps {
  readonly label: string;
  readonly note: string;
  readonly bad?: boolean;
  readonly children: ReactNode;
}

function Figure({ label, note, bad = false, children }: FigureProps) {
  return (
    <div className={classes.figure}>
      <dt>{label}</dt>
      <dd className={classes.value} data-bad={bad}>
        {children}
      </dd>
      <dd className={classes.note}>{note}</dd>
    </div>
  );
}
