import { Button } from '@mantine/core';
import { ArrowDown, ChevronRight } from 'lucide-react';
import { Fragment, useState } from 'react';
import { useStore } from 'zustand/react';
import type { CallStats, MetricsSummary } from '../../../../shared/model/activity/metrics.ts';
import type { MetricsScope } from '../../../store/activity-store.ts';
import { useModel, useTitleOf } from '../../../store/model-context.tsx';
import { Section } from '../../../ui/facts.tsx';
import view from '../activity-view.module.css';
import classes from './metrics.module.css';
import { StatsCells, type StatsKey, statsHeads } from './stats-cells.tsx';

type Servers = MetricsSummary['servers'];

/** Shows the numbers by server and tool; choosing a row shows it in the chart. */
export function ServersTable({ servers }: { servers: Servers }) {
  const { activity } = useModel();
  const scope = useStore(activity, ({ metricsScope }) => metricsScope);
  const titleOf = useTitleOf();
  const [sorting, setSorting] = useState<StatsKey>('calls');
  const [open, setOpen] = useState<string | undefined>(scope.serverKey);
  const choose = (metricsScope: MetricsScope) => activity.setState({ metricsScope });
  return (
    <Section title="By server and tool">
      <table className={classes.table}>
        <caption className="visually-hidden">Calls by server and tool</caption>
        <thead>
          <tr>
            <th scope="col">Server</th>
            {statsHeads.map(({ key, label }) => (
              <th key={key} scope="col" aria-sort={sorting === key ? 'descending' : undefined}>
                <button type="button" className={`bare ${classes.sort}`} onClick={() => setSorting(key)}>
                  {sorting === key && <ArrowDown size={11} aria-hidden />}
                  {label}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted(servers, sorting).map(({ serverKey, stats, tools }) => (
            <Fragment key={serverKey}>
              <tr data-selected={scope.serverKey === serverKey && scope.tool === undefined}>
                <th scope="row">
                  <span className="row gap-4">
                    <button
                      type="button"
                      className={`bare ${classes.opener}`}
                      aria-expanded={open === serverKey}
                      aria-label={`Tools of ${titleOf(serverKey)}`}
                      onClick={() => setOpen(open === serverKey ? undefined : serverKey)}
                    >
                      <ChevronRight size={14} aria-hidden />
                    </button>
                    <Choice
                      label={titleOf(serverKey)}
                      scope={{ serverKey }}
                      current={scope}
                      onChoose={choose}
                    />
                  </span>
                </th>
                <StatsCells stats={stats} />
              </tr>
              {open === serverKey && (
                <ToolRows
                  tools={sorted(tools, sorting)}
                  serverKey={serverKey}
                  current={scope}
                  onChoose={choose}
                />
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

interface ToolRowsProps {
  readonly tools: Servers[number]['tools'];
  readonly serverKey: string;
  readonly current: MetricsScope;
  readonly onChoose: (scope: MetricsScope) => void;
}

/** Shows the first hundred tools and more on request. */
function ToolRows({ tools, serverKey, current, onChoose }: ToolRowsProps) {
  const [shown, setShown] = useState(page);
  return (
    <>
      {tools.slice(0, shown).map(({ tool, stats }) => (
        <tr key={tool} data-selected={current.serverKey === serverKey && current.tool === tool}>
          <th scope="row" className={classes.tool}>
            <Choice label={tool} scope={{ serverKey, tool }} current={current} onChoose={onChoose} />
          </th>
          <StatsCells stats={stats} />
        </tr>
      ))}
      {tools.length > shown && (
        <tr>
          <td colSpan={6}>
            <Button variant="subtle" size="compact-xs" onClick={() => setShown(shown + page)}>
              {`Show more (${(tools.length - shown).toLocaleString('en')} left)`}
            </Button>
          </td>
        </tr>
      )}
    </>
  );
}

const page = 100;

interface ChoiceProps {
  readonly label: string;
  readonly scope: MetricsScope;
  readonly current: MetricsScope;
  readonly onChoose: (scope: MetricsScope) => void;
}

/** Selects a scope; selecting it again goes back to all servers. */
function Choice({ label, scope, current, onChoose }: ChoiceProps) {
  const isChosen = scope.serverKey === current.serverKey && scope.tool === current.tool;
  return (
    <button
      type="button"
      className={`bare ${view.link}`}
      aria-pressed={isChosen}
      title={isChosen ? 'Show all servers in the chart' : 'Show in the chart'}
      onClick={() => onChoose(isChosen ? {} : scope)}
    >
      {label}
    </button>
  );
}

function sorted<T extends { readonly stats: CallStats }>(rows: readonly T[], by: StatsKey): readonly T[] {
  return [...rows].sort((one, other) => other.stats[by] - one.stats[by]);
}
