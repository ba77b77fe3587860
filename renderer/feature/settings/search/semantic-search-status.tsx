import { Progress } from '@mantine/core';
import { Check } from 'lucide-react';
import type { SemanticSearchState } from '../../../../shared/model/tool/search.ts';
import { formatCount } from '../../../lib/text/format-amount.ts';
import { knownValue, useEngine } from '../../../store/hook/use-engine.ts';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import classes from './search-page.module.css';

/** Shows the status of the provider in use. */
export function SemanticSearchStatus() {
  const state = knownValue(useEngine('search.meaning', undefined, { event: 'meaning.changed' }));
  if (state === undefined || state.kind === 'off') return null;
  if (state.kind === 'failed') return <ProblemCard problem={state.problem} about="Search by meaning" open />;
  return (
    <div className={classes.status}>
      <p role="status">
        {state.kind === 'ready' && <Check size={13} aria-hidden />} {stateText(state)}
      </p>
      {state.kind === 'learning' && (
        <Progress
          size="sm"
          value={(100 * state.known) / Math.max(1, state.total)}
          aria-label="Indexed texts"
        />
      )}
    </div>
  );
}

function stateText(state: Exclude<SemanticSearchState, { kind: 'off' | 'failed' }>): string {
  if (state.kind === 'resting') return 'In use. Loaded when you search.';
  const texts = formatCount(state.total, 'text');
  if (state.kind === 'ready') return `Ready: ${texts} ${state.total === 1 ? 'is' : 'are'} indexed.`;
  return `${state.known} of ${texts} indexed. The rest are found by their words.`;
}
