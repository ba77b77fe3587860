import { Check } from 'lucide-react';
import type { TrialState } from '../../../command/search-actions.ts';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import classes from './search-page.module.css';

/** What came of asking it once. */
export function TrialResult({ trial }: { trial: TrialState }) {
  if (trial.kind === 'failed') return <ProblemCard problem={trial.problem} about="test" open />;
  return (
    <p role="status" className={classes.answered}>
      {trial.kind === 'asking' && 'Asking it…'}
      {trial.kind === 'answered' && (
        <>
          <Check size={13} aria-hidden /> It answered after {Math.max(1, Math.round(trial.milliseconds))} ms.
        </>
      )}
    </p>
  );
}
