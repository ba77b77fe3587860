import { Check } from 'lucide-react';
import type { TrialState } from '../../../command/tool/search-actions.ts';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import classes from './search-page.module.css';

/** Shows the result of testing the provider. */
export function TrialResult({ trial }: { trial: TrialState }) {
  if (trial.kind === 'failed') return <ProblemCard problem={trial.problem} about="test" open />;
  return (
    <p role="status" className={`row ${classes.answered}`}>
      {trial.kind === 'asking' && 'Testing…'}
      {trial.kind === 'answered' && (
        <>
          <Check size={13} aria-hidden /> It responded in {Math.max(1, Math.round(trial.milliseconds))} ms.
        </>
      )}
    </p>
  );
}
