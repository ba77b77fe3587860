import type { ServerHealth } from '../../../../shared/model/server/health.ts';
import { formatPercent } from '../../../lib/text/format-amount.ts';
import { formatMilliseconds } from '../../../lib/text/format-time.ts';
import { Figure, Figures } from '../../../ui/figures.tsx';
import { Ago } from '../../../ui/text/time-text.tsx';
import { checkText } from './health-text.ts';

/** Shows the four key figures of a server's health. */
export function HealthFigures({ health }: { health: ServerHealth }) {
  const { responseMs, errorRate, misses, lastCheckAt, by } = health;
  return (
    <Figures>
      <Figure label="Response" note="median of 5 minutes">
        {responseMs === undefined ? '–' : formatMilliseconds(responseMs)}
      </Figure>
      <Figure label="Failed calls" note="in the last 5 minutes" tone={errorRate >= 0.1 ? 'bad' : undefined}>
        {errorRate === 0 ? 'None' : formatPercent(errorRate * 100)}
      </Figure>
      <Figure label="Missed checks" note="restarts after 3 in a row" tone={misses > 0 ? 'bad' : undefined}>
        {misses === 0 ? 'None' : `${misses} of 3`}
      </Figure>
      <Figure label="Last check" note={checkText(by)}>
        <Ago at={lastCheckAt} />
      </Figure>
    </Figures>
  );
}
