import { Button, Skeleton, Switch } from '@mantine/core';
import { Ban, Check } from 'lucide-react';
import { useState } from 'react';
import type { HeldTool, ToolReview } from '../../../shared/model/guard.ts';
import { useReview } from '../../store/use-guard.ts';
import { DifferenceView } from '../../ui/difference-view.tsx';
import { FlagList } from '../../ui/flag-list.tsx';
import { ProblemCard } from '../../ui/problem-card.tsx';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import { Ago } from '../../ui/time-text.tsx';
import classes from './review-dialog.module.css';

/** One held tool: what is different about it, and the decision. */
export function ToolReviewPane({ tool, onDecide }: { tool: HeldTool; onDecide: Decide }) {
  const state = useReview(tool.serverKey, tool.name, tool.digest);
  return (
    <section className={classes.review} aria-label={`Tool ${tool.name}`}>
      <Head tool={tool} onDecide={onDecide} />
      <ScrollRegion label="What is different" className={classes.body}>
        {state.kind === 'loading' && (
          <Skeleton height={220} radius={8} aria-label="Comparing the definitions" />
        )}
        {state.kind === 'failed' && <ProblemCard problem={state.problem} about={tool.name} />}
        {state.kind === 'ready' && <Compared review={state.review} isNew={tool.kind === 'new'} />}
      </ScrollRegion>
    </section>
  );
}

export type Decide = (tools: readonly HeldTool[], decision: 'approve' | 'block') => void;

function Head({ tool, onDecide }: { tool: HeldTool; onDecide: Decide }) {
  const decide = (decision: 'approve' | 'block') => onDecide([tool], decision);
  return (
    <header className={classes.reviewHead}>
      <h2 className={classes.name} title={tool.name}>
        {tool.name}
      </h2>
      {!tool.blocked && (
        <Button variant="default" leftSection={<Ban size={13} aria-hidden />} onClick={() => decide('block')}>
          Keep away
        </Button>
      )}
      <Button leftSection={<Check size={14} aria-hidden />} onClick={() => decide('approve')}>
        Approve
      </Button>
    </header>
  );
}

function Compared({ review, isNew }: { review: ToolReview; isNew: boolean }) {
  const [all, setAll] = useState(false);
  const isWhole = isNew || review.isBeforeLost;
  return (
    <>
      <p className={classes.about}>
        <About review={review} isNew={isNew} />
      </p>
      <FlagList flags={review.flags} />
      <DifferenceView parts={review.parts} all={all || isWhole} />
      {!isWhole && (
        <Switch
          label="Show what is the same too"
          checked={all}
          onChange={(event) => setAll(event.currentTarget.checked)}
        />
      )}
    </>
  );
}

function About({ review, isNew }: { review: ToolReview; isNew: boolean }) {
  const { approvedAt, isBeforeLost, state } = review;
  const first = state === 'blocked' ? 'You keep this one away from clients. ' : '';
  if (isNew) return <>{first}It was not there when its server was approved. This is all of it.</>;
  if (isBeforeLost)
    return (
      <>
        {first}What was approved is not known any more, only that this is another definition. This is all of
        it.
      </>
    );
  if (approvedAt === undefined) return <>{first}Against the definition that was approved:</>;
  return (
    <>
      {first}Against the definition that was approved <Ago at={approvedAt} />:
    </>
  );
}
