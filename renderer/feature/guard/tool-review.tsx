import { Button, Skeleton, Switch } from '@mantine/core';
import { Ban, Check } from 'lucide-react';
import { useState } from 'react';
import type { QuarantinedTool, ToolReview } from '../../../shared/model/tool/guard.ts';
import { useReview } from '../../store/hook/engine-hooks.ts';
import { ScrollRegion } from '../../ui/list/scroll-region.tsx';
import { ProblemCard } from '../../ui/problem-card.tsx';
import { Ago } from '../../ui/text/time-text.tsx';
import { DifferenceView } from '../../ui/tool/difference-view.tsx';
import { FlagList } from '../../ui/tool/flag-list.tsx';
import classes from './review-dialog.module.css';

/** Shows one quarantined tool: what changed, and the buttons to decide. */
export function ToolReviewPane({ tool, onDecide }: { tool: QuarantinedTool; onDecide: Decide }) {
  const state = useReview(tool.serverKey, tool.name, tool.digest);
  return (
    <section className={classes.review} aria-label={`Tool ${tool.name}`}>
      <Head tool={tool} onDecide={onDecide} />
      <ScrollRegion label="Changes" className={`pane ${classes.body}`}>
        {state.kind === 'loading' && (
          <Skeleton height={220} radius={8} aria-label="Comparing the definitions" />
        )}
        {state.kind === 'failed' && <ProblemCard problem={state.problem} about={tool.name} />}
        {state.kind === 'known' && <ReviewDifference review={state.value} isNew={tool.kind === 'new'} />}
      </ScrollRegion>
    </section>
  );
}

export type Decide = (tools: readonly QuarantinedTool[], decision: 'approve' | 'block') => void;

function Head({ tool, onDecide }: { tool: QuarantinedTool; onDecide: Decide }) {
  const decide = (decision: 'approve' | 'block') => onDecide([tool], decision);
  const hasWarning = tool.flags > 0;
  return (
    <header className={`row ${classes.reviewHead}`}>
      <h2 className={`truncate grow ${classes.name}`} title={tool.name}>
        {tool.name}
      </h2>
      {/* With a warning, the safe button is the prominent one. */}
      {!tool.blocked && (
        <Button
          variant={hasWarning ? 'filled' : 'default'}
          leftSection={<Ban size={13} aria-hidden />}
          onClick={() => decide('block')}
        >
          Block
        </Button>
      )}
      <Button
        variant={hasWarning ? 'default' : 'filled'}
        leftSection={<Check size={14} aria-hidden />}
        onClick={() => decide('approve')}
      >
        {hasWarning ? 'Approve anyway' : 'Approve'}
      </Button>
    </header>
  );
}

function ReviewDifference({ review, isNew }: { review: ToolReview; isNew: boolean }) {
  const [all, setAll] = useState(false);
  const showsAll = isNew || review.isBeforeLost;
  return (
    <>
      <p className="soft small">
        <About review={review} isNew={isNew} />
      </p>
      <FlagList flags={review.flags} />
      <DifferenceView parts={review.parts} all={all || showsAll} />
      {!showsAll && (
        <Switch
          label="Show unchanged parts"
          checked={all}
          onChange={(event) => setAll(event.currentTarget.checked)}
        />
      )}
    </>
  );
}

function About({ review, isNew }: { review: ToolReview; isNew: boolean }) {
  const { approvedAt, isBeforeLost, state } = review;
  const first = state === 'blocked' ? 'You blocked this tool. ' : '';
  if (isNew)
    return <>{first}This tool was added after you approved the server. This is its full definition.</>;
  if (isBeforeLost)
    return <>{first}The approved version is no longer available. This is the full new definition.</>;
  if (approvedAt === undefined) return <>{first}Changes since the approved version:</>;
  return (
    <>
      {first}Changes since the version approved <Ago at={approvedAt} />:
    </>
  );
}
