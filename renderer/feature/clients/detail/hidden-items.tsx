import { CircleCheck } from 'lucide-react';
import type { ClientDetail } from '../../../../shared/model/client/client-detail.ts';
import { formatCount } from '../../../lib/text/format-amount.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ScrollRegion } from '../../../ui/list/scroll-region.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import classes from './client-detail.module.css';

/** Lists what the client does not get, and why. */
export function HiddenItems({ detail: { leftOut, withheld } }: { detail: ClientDetail }) {
  const { disabled, held } = withheld;
  const reasons = [
    { count: disabled, text: 'turned off by you' },
    { count: held, text: 'waiting for your review' },
  ].filter(({ count }) => count > 0);
  if (reasons.length === 0 && leftOut.length === 0) {
    return (
      <EmptyState
        icon={CircleCheck}
        title="Nothing hidden"
        text="This client gets everything your servers offer."
      />
    );
  }
  return (
    <ScrollRegion label="Hidden" className={`pane ${classes.scroll}`}>
      {reasons.length > 0 && (
        <ul className={classes.reasons}>
          {reasons.map(({ count, text }) => (
            <li key={text}>
              {formatCount(count, 'tool')} {text}
            </li>
          ))}
        </ul>
      )}
      {leftOut.map((problem) => (
        <ProblemCard key={problem.sentence} problem={problem} severity="warning" />
      ))}
    </ScrollRegion>
  );
}
