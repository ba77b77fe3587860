import { Button, Loader } from '@mantine/core';
import { ChartLine } from 'lucide-react';
import { formatCount } from '../../../lib/text/format-amount.ts';
import { knownValue } from '../../../store/hook/use-engine.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ScrollRegion } from '../../../ui/list/scroll-region.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
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
import { type Metrics, useMetrics } from './use-metrics.ts';

/** Shows call counts, durations and failures by server and tool over the chosen period. */
export function MetricsPage() {
  const { state, reload } = useMetrics();
  const known = knownValue(state);
  return (
    <>
      <ViewHeader title="Activity" note={known && formatCount(known.all.total.calls, 'call')}>
        <ActivityPages page="metrics" />
      </ViewHeader>
      <ScopeBar />
      <ScrollRegion label="Metrics" className={`scrolls ${classes.scroll}`}>
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
              <span className="visually-hidden">Loading metrics</span>
            </div>
          )}
          {known !== undefined && <LoadedMetrics known={known} />}
          <CircuitsPart />
          <PrometheusPart />
        </div>
      </ScrollRegion>
    </>
  );
}

function LoadedMetrics({ known: { all, shown } }: { known: Metrics }) {
  if (all.total.calls === 0) return <NoCalls />;
  return (
    <>
      <section className={classes.card} aria-label="Calls over time">
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
      title="No calls in this period"
      text="Calls from clients and agents are counted here by server and tool, with their durations and failures. The numbers come from the audit log and are kept as long as it is."
    />
  );
}
