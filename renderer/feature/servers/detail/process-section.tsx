import { useStore } from 'zustand/react';
import { formatBytes, formatCount } from '../../../lib/format-amount.ts';
import { processRows } from '../../../lib/process-tree.ts';
import { useModel } from '../../../store/model-context.tsx';
import { Section } from '../../../ui/facts.tsx';
import classes from './process-section.module.css';

/** The processes a server consists of, with what each takes. Nothing while it does not run. */
export function ProcessSection({ serverKey }: { serverKey: string }) {
  const usage = useStore(useModel().mirrors.usage, (state) => state[serverKey]);
  if (usage === undefined || usage.processes.length === 0) return null;
  const summary = `${formatBytes(usage.memory)} in ${formatCount(usage.processes.length, 'process', 'processes')}`;
  return (
    <Section title="Processes" aside={<span className={classes.summary}>{summary}</span>}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th>Process</th>
            <th>PID</th>
            <th>Memory</th>
            <th>CPU</th>
          </tr>
        </thead>
        <tbody>
          {processRows(usage.processes).map(({ process, depth }) => (
            <tr key={process.pid}>
              <td title={process.command}>
                <span className={classes.command} style={{ paddingLeft: depth * 16 }}>
                  {depth > 0 && <span aria-hidden>└</span>}
                  <code>{process.command}</code>
                </span>
              </td>
              <td>{process.pid}</td>
              <td>{formatBytes(process.memory)}</td>
              <td>{process.cpu.toFixed(process.cpu < 10 ? 1 : 0)} %</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}
