import { Button, Loader } from '@mantine/core';
import { ChartLine } from 'lucide-react';
import { formatCount } from '../../../lib/format-amount.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { ScrollRegion } from '../../../ui/scroll-region.tsx';
import { ViewHeader } from '../../../ui/view-header.tsx';
import { ActivityPages } from '../activity-pages.tsx';
import view from '../activity-view.module.css';
import { CallsChart } from './calls-chart.tsx';
import { CircuitsPart } from './circuits-part.tsx';
import classes from './metrics.module.css';
import { MetricsFigures } from './metrics-figures.tsx';
import { PrometheusPart } from './prometheus-part.tsx';
import { ScopeBar } from './scope-bar.tsx';
import { ServersTable } from './servers-table.tsx';
import { type KnownMetrics, useMetrics } from './use-metrics.ts';

/** How many calls there were, how long they took and how many failed; by server and tool, over a chosen time. */
export function MetricsPage() {
  const { state, reload } = useMetrics();
  const known = state.kind === 'known' ? state : undefined;
  return (
    <>
      <ViewHeader title="Activity" note={known && formatCount(known.all.total.calls, 'call')}>
        <ActivityPages page="metrics" />
      </ViewHeader>
      <ScopeBar />
      <ScrollRegion label="Metrics" className={classes.scroll}>
        <h2 className="visually-hidden">Metrics</h2>
        <div className={classes.content}>
          {state.kind === 'failed' && (
            <ProblemCard
              problem={state.problem}
              about="Metrics"
              actions={<Button onClick={reload}>Try again</Button>}
            />
          )}
          {state.kind === 'loading' && (
            <div className={view.loading} role="status">
              <Loader size="sm" aria-hidden />
              <span className="visually-hidden">Loading the metrics</span>
            </div>
          )}
          {known !== undefined && <Numbers known={known} />}
          <CircuitsPart />
          <PrometheusPart />
        </div>
      </ScrollRegion>
    </>
  );
}

function Numbers({ known: { all, shown } }: { known: KnownMetrics }) {
  if (all.total.calls === 0) return <NoCalls />;
  return (
    <>
      <section className={classes.card} aria-label="Calls over the time">
        <MetricsFigures stats={shown.total} />
        <CallsChart summary={shown} />
      </section>
      <ServersTable servers={all.servers} />
    </>
  );
}

function NoCalls() {
  return (
    <EmptyState
      icon={ChartLine}
      title="No calls in this time"
      text="Calls of clients and agents are counted here by server and tool, with how long they took and how many failed. They are counted from the audit log, so they are kept as long as that is."
    />
  );
}
