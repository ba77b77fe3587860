import { ChevronRight } from 'lucide-react';
import { formatBytes, formatCount, formatPercent } from '../../../lib/format-amount.ts';
import type { ProcessRow } from '../../../lib/process-tree.ts';
import { Lasting } from '../../../ui/time-text.tsx';
import classes from './process-section.module.css';

interface ProcessLineProps {
  readonly row: ProcessRow;
  /** What is below it is not shown; its own figures then are those of all of them. */
  readonly folded: boolean;
  /** There are things to fold in this table: room is left for their marks. */
  readonly indented: boolean;
  readonly onTurn: () => void;
}

export function ProcessLine({ row, folded, indented, onTurn }: ProcessLineProps) {
  const { process, depth, below } = row;
  const sums = folded && below > 0;
  const { memory, cpu } = sums ? row : process;
  return (
    <tr>
      <td>
        <span className={classes.command} style={{ paddingLeft: depth * 18 }}>
          {below > 0 ? (
            <button
              type="button"
              className={classes.turn}
              aria-expanded={!folded}
              aria-label={`Processes below ${process.command}, ${process.pid}`}
              onClick={onTurn}
            >
              <ChevronRight size={13} aria-hidden />
            </button>
          ) : (
            indented && <span className={classes.leaf} />
          )}
          <code title={process.command}>{process.command}</code>
          {sums && <span className={classes.below}>{`and ${formatCount(below, 'more', 'more')}`}</span>}
        </span>
      </td>
      <td>{process.pid}</td>
      <td>{formatBytes(memory)}</td>
      <td data-quiet={cpu < 0.05}>{formatPercent(cpu)}</td>
      <td>{process.startedAt === undefined ? '–' : <Lasting since={process.startedAt} />}</td>
    </tr>
  );
}
