import { Button } from '@mantine/core';
import { RefreshCw } from 'lucide-react';
import type { Problem } from '../../../shared/error/problem.ts';
import { ProblemCard } from '../../ui/problem-card.tsx';
import classes from './full-page.module.css';

/** Replaces the views while the engine cannot be reached, since they would be outdated. */
export function LinkLost({ problem, onRetry }: { problem: Problem; onRetry: () => void }) {
  return (
    <main className={classes.page}>
      <h1 className={classes.title}>Not connected</h1>
      <ProblemCard
        problem={problem}
        actions={
          <Button leftSection={<RefreshCw size={14} aria-hidden />} onClick={onRetry} data-autofocus>
            Try again
          </Button>
        }
      />
    </main>
  );
}
