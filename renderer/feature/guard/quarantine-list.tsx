import { TriangleAlert } from 'lucide-react';
import type { QuarantinedTool } from '../../../shared/model/tool/guard.ts';
import { formatCount } from '../../lib/text/format-amount.ts';
import { VirtualList } from '../../ui/list/virtual-list.tsx';
import classes from './review-dialog.module.css';

interface QuarantineListProps {
  readonly tools: readonly QuarantinedTool[];
  readonly open: QuarantinedTool | undefined;
  readonly onOpen: (tool: QuarantinedTool) => void;
}

/** Lists the quarantined tools of one server. */
export function QuarantineList({ tools: held, open, onOpen }: QuarantineListProps) {
  return (
    <VirtualList
      label="Tools to review"
      rows={held}
      heightOf={() => 46}
      keyOf={({ digest, name }) => `${digest} ${name}`}
      className={classes.list}
    >
      {(tool, { index, line }) => {
        const isOpen = tool.digest === open?.digest && tool.name === open.name;
        return (
          <li className={classes.row} data-open={isOpen} {...line}>
            <button
              type="button"
              className={`bare ${classes.open}`}
              data-row={index}
              aria-current={isOpen ? 'true' : undefined}
              onClick={() => onOpen(tool)}
            >
              <span className={`truncate ${classes.rowName}`}>{tool.name}</span>
              <span className={classes.rowNote}>
                {stateLabel(tool)}
                {tool.flags > 0 && (
                  <span className={`row ${classes.rowFlags}`}>
                    <TriangleAlert size={12} aria-hidden /> {formatCount(tool.flags, 'warning')}
                  </span>
                )}
              </span>
            </button>
          </li>
        );
      }}
    </VirtualList>
  );
}

function stateLabel({ kind, blocked }: QuarantinedTool): string {
  if (blocked) return 'Blocked';
  return kind === 'new' ? 'New' : 'Changed';
}
