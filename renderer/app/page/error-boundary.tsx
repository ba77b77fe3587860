import { Button } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import type { Problem } from '../../../shared/error/problem.ts';
import { ProblemCard } from '../../ui/problem-card.tsx';
import classes from './full-page.module.css';

type State = { readonly kind: 'fine' } | { readonly kind: 'broken'; readonly problem: Problem };

/** Shows the error instead of an empty window; the engine is not affected. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { kind: 'fine' };

  static getDerivedStateFromError(thrown: unknown): State {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    const stack = thrown instanceof Error ? (thrown.stack ?? '') : '';
    return {
      kind: 'broken',
      problem: {
        code: 'internal',
        sentence: 'This window hit an error and has to reload.',
        fix: 'Reload the window; your servers keep running. If it happens again, report it and include the evidence.',
        evidence: [
          { label: 'error', value: message },
          { label: 'stack', value: stack },
        ],
      },
    };
  }

  override render(): ReactNode {
    if (this.state.kind === 'fine') return this.props.children;
    return (
      <main className={classes.page}>
        <ProblemCard
          problem={this.state.problem}
          actions={<Button onClick={() => this.setState({ kind: 'fine' })}>Reload the window</Button>}
        />
      </main>
    );
  }
}
