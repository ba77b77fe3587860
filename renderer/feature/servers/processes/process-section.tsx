import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand/react';
import type { ProcessUsage, ServerView } from '../../../../shared/model/server/server.ts';
import { type ProcessRow, processRows, unfoldedRows } from '../../../lib/server/process-tree.ts';
import { formatBytes, formatCount, formatPercent } from '../../../lib/text/format-amount.ts';
import { useModel } from '../../../store/model-context.tsx';
import { Section } from '../../../ui/facts.tsx';
import { Lasting } from '../../../ui/text/time-text.tsx';
import classes from './process-section.module.css';

/** Lists the processes of a server with their usage; nothing while it is not running. */
export function ProcessSection({ server }: { server: ServerView }) {
  const usage = useStore(useModel().mirrors.usage, (state) => state[server.key]);
  if (usage === undefined || usage.processes.length === 0) return null;
  return (
    <Section title="Processes" aside={<span className="dim small numeric">{summary(usage)}</span>}>
      <ProcessTable rows={processRows(usage.processes)} server={server} />
    </Section>
  );
}

function ProcessTable({ rows, server }: { rows: readonly ProcessRow[]; server: ServerView }) {
  const [toggled, setTurned] = useState<ReadonlySet<number>>(new Set());
  const grouped = server.isolation === 'per-client';
  const trees = rows.filter(({ depth }) => depth === 0).length;
  // Trees of several clients start collapsed so that they can be compared; a click toggles one.
  const isFolded = ({ depth, process }: ProcessRow) =>
    (grouped && trees > 1 && depth === 0) !== toggled.has(process.pid);
  function toggle(pid: number): void {
    const next = new Set(toggled);
    if (!next.delete(pid)) next.add(pid);
    setTurned(next);
  }
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">Process{grouped && treesText(trees, server.instances)}</th>
          <th scope="col">PID</th>
          <th scope="col">Memory</th>
          <th scope="col">CPU</th>
          <th scope="col">Age</th>
        </tr>
      </thead>
      <tbody>
        {unfoldedRows(rows, isFolded).map((row) => (
          <ProcessLine
            key={row.process.pid}
            row={row}
            folded={isFolded(row)}
            indented={rows.some(({ below }) => below > 0)}
            onToggle={() => toggle(row.process.pid)}
          />
        ))}
      </tbody>
    </table>
  );
}

/** Counts trees: besides one per client there may be one that only lists tools. */
function treesText(trees: number, instances: number): string {
  return trees > instances ? ', one tree per client and one for listing' : ', one tree per client';
}

function summary({ memory, cpu, processes }: ProcessUsage): string {
  const count = formatCount(processes.length, 'process', 'processes');
  return `${count} · ${formatBytes(memory)} · ${formatPercent(cpu)} of one core`;
}

interface ProcessLineProps {
  readonly row: ProcessRow;
  /** True while child processes are hidden; the figures then include them. */
  readonly folded: boolean;
  /** True if some row in the table can be collapsed, so that all rows leave room for the arrow. */
  readonly indented: boolean;
  readonly onToggle: () => void;
}

function ProcessLine({ row, folded, indented, onToggle }: ProcessLineProps) {
  const { process, depth, below } = row;
  const sums = folded && below > 0;
  const { memory, cpu } = sums ? row : process;
  return (
    <tr>
      <td>
        <span className={`row ${classes.command}`} style={{ paddingLeft: depth * 18 }}>
          {below > 0 ? (
            <button
              type="button"
              className={`bare ${classes.turn}`}
              aria-expanded={!folded}
              aria-label={`Child processes of ${process.command}, ${process.pid}`}
              onClick={onToggle}
            >
              <ChevronRight size={13} aria-hidden />
            </button>
          ) : (
            indented && <span className={classes.leaf} />
          )}
          <code title={process.command}>{process.command}</code>
          {sums && <span className="fixed dim tiny">{`and ${formatCount(below, 'more', 'more')}`}</span>}
        </span>
      </td>
      <td>{process.pid}</td>
      <td>{formatBytes(memory)}</td>
      <td data-quiet={cpu < 0.05}>{formatPercent(cpu)}</td>
      <td>{process.startedAt === undefined ? '–' : <Lasting since={process.startedAt} />}</td>
    </tr>
  );
}
