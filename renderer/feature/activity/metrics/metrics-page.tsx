import { Button, Loader, SegmentedControl } from '@mantine/core';
import { ChartLine } from 'lucide-react';
import { useStore } from 'zustand/react';
import type { CallStats } from '../../../../shared/model/activity/metrics.ts';
import { openSettings } from '../../../command/navigate.ts';
import { groupBy } from '../../../lib/group-by.ts';
import { formatCount, formatPercent } from '../../../lib/text/format-amount.ts';
import { formatMilliseconds } from '../../../lib/text/format-time.ts';
import type { MetricsScope } from '../../../store/activity-store.ts';
import { useBreakers } from '../../../store/hook/engine-hooks.ts';
import { knownValue } from '../../../store/hook/use-engine.ts';
import { useModel, useTitleOf } from '../../../store/model-context.tsx';
import { BreakerList, ResetAll } from '../../../ui/breaker-list.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Fact, Facts, Section } from '../../../ui/facts.tsx';
import { Figure, Figures } from '../../../ui/figures.tsx';
import { ScrollRegion } from '../../../ui/list/scroll-region.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { CopyButton } from '../../../ui/text/copy-button.tsx';
import { ServerName } from '../../../ui/text/server-name.tsx';
import { ViewHeader } from '../../../ui/view-header.tsx';
import { ActivityPages } from '../activity-pages.tsx';
import view from '../activity-view.module.css';
import { CallsChart } from './calls-chart.tsx';
import classes from './metrics.module.css';
import { metricsAddress, scrapeConfig } from './scrape-config.ts';
import { ServersTable } from './servers-table.tsx';
import { spans } from './spans.ts';
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

/** Lists the open circuits of all servers. */
function CircuitsPart() {
  const model = useModel();
  const state = useBreakers();
  return (
    <Section
      title="Paused tools"
      aside={
        <Button variant="subtle" size="compact-xs" onClick={() => openSettings(model, 'limits')}>
          Pause settings
        </Button>
      }
    >
      {state.kind === 'failed' && <ProblemCard problem={state.problem} about="Paused tools" />}
      {state.kind === 'known' && state.value.length === 0 && <p className="dim tiny">No paused tools</p>}
      {state.kind === 'known' && state.value.length > 0 && (
        <>
          <p className="dim tiny">
            These tools failed several times in a row, so Patchbay rejects their calls for a while.
          </p>
          {Object.entries(groupBy(state.value, ({ serverKey }) => serverKey)).map(([serverKey, own]) => (
            <div key={serverKey} className={classes.circuits}>
              <div className={`row ${classes.circuitsHead}`}>
                <h4>
                  <ServerName serverKey={serverKey} />
                </h4>
                {own.length > 1 && <ResetAll serverKey={serverKey} words="Reset all" />}
              </div>
              <BreakerList breakers={own} />
            </div>
          ))}
        </>
      )}
    </Section>
  );
}

/** Shows the totals of the current scope. */
function MetricsFigures({ stats }: { stats: CallStats }) {
  const { calls, errors, retries, average, p50, p95, p99 } = stats;
  return (
    <Figures>
      <Figure label="Calls" note={retries === 0 ? 'no retries' : formatCount(retries, 'retry', 'retries')}>
        {calls.toLocaleString('en')}
      </Figure>
      <Figure label="Failed" note={formatCount(errors, 'call')} tone={errors > 0 ? 'bad' : undefined}>
        {errors === 0 ? 'None' : formatPercent((errors / calls) * 100)}
      </Figure>
      <Figure label="Median" note={`average ${formatMilliseconds(average)}`}>
        {formatMilliseconds(p50)}
      </Figure>
      <Figure label="95th percentile" note="p95">
        {formatMilliseconds(p95)}
      </Figure>
      <Figure label="99th percentile" note="p99">
        {formatMilliseconds(p99)}
      </Figure>
    </Figures>
  );
}

/** Shows how to scrape these numbers with Prometheus. */
function PrometheusPart() {
  const hub = useStore(useModel().mirrors.hub, (state) => state);
  if (hub === undefined) return null;
  const { endpoint, dataDir } = hub;
  if (endpoint === undefined) {
    return (
      <Section title="Prometheus">
        <p className="dim tiny">The HTTP endpoint is not running, so there is nothing to scrape.</p>
      </Section>
    );
  }
  const address = metricsAddress(endpoint);
  const config = () => scrapeConfig(endpoint, dataDir);
  return (
    <Section
      title="Prometheus"
      aside={
        <CopyButton text={config} label="Copy a scrape config for Prometheus" words="Copy scrape config" />
      }
    >
      <Facts>
        <Fact label="URL">
          <span className={classes.copied}>
            <code>{address}</code>
            <CopyButton text={() => address} label="Copy the URL" />
          </span>
        </Fact>
        <Fact label="Token">
          Use the admin token as the bearer token. The scrape config reads it from <code>admin.token</code> in
          the data folder.
        </Fact>
      </Facts>
    </Section>
  );
}

/** Chooses the period and the scope. */
function ScopeBar() {
  const { activity } = useModel();
  const { metricsScope: scope, metricsSpan: span } = useStore(activity);
  const titleOf = useTitleOf();
  const go = (metricsScope: MetricsScope) => activity.setState({ metricsScope });
  const { serverKey, tool } = scope;
  return (
    <div className={`row ${view.filters}`}>
      <SegmentedControl
        size="xs"
        aria-label="Time"
        value={String(span)}
        onChange={(next) => activity.setState({ metricsSpan: Number(next) })}
        data={spans.map(({ label, milliseconds }) => ({ value: String(milliseconds), label }))}
      />
      <nav aria-label="Scope" className={`row ${classes.path}`}>
        <Step label="All servers" isLast={serverKey === undefined} onClick={() => go({})} />
        {serverKey !== undefined && (
          <>
            <span aria-hidden>/</span>
            <Step label={titleOf(serverKey)} isLast={tool === undefined} onClick={() => go({ serverKey })} />
          </>
        )}
        {tool !== undefined && (
          <>
            <span aria-hidden>/</span>
            <Step label={tool} isLast onClick={() => undefined} />
          </>
        )}
      </nav>
    </div>
  );
}

function Step({ label, isLast, onClick }: { label: string; isLast: boolean; onClick: () => void }) {
  if (isLast) return <strong aria-current="page">{label}</strong>;
  return (
    <button type="button" className={`bare ${view.link}`} onClick={onClick}>
      {label}
    </button>
  );
}
