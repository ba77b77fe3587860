import { ChevronRight } from 'lucide-react';
import type { ProcessRow } from '../../../lib/server/process-tree.ts';
import { formatBytes, formatCount, formatPercent } from '../../../lib/text/format-amount.ts';
import { Lasting } from '../../../ui/text/time-text.tsx';
import classes from './process-section.module.css';

interface ProcessLineProps {
  readonly row: ProcessRow;
  /** True while child processes are hidden; the figures then include them. */
  readonly folded: boolean;
  /** True if some row in the table can be collapsed, so that all rows leave room for the arrow. */
  readonly indented: boolean;
  readonly onToggle: () => void;
}

export function ProcessLine({ row, folded, indented, onToggle }: ProcessLineProps) {
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
