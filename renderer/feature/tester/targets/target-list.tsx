import { FileText, LayoutTemplate, MessageSquareText, Wrench } from 'lucide-react';
import { type TryTarget, tryId } from '../../../store/tester-store.ts';
import { VirtualList } from '../../../ui/list/virtual-list.tsx';
import classes from './target-list.module.css';
import type { TargetRow } from './target-rows.ts';

interface TargetListProps {
  readonly rows: readonly TargetRow[];
  readonly label: string;
  readonly open: TryTarget | undefined;
  readonly onOpen: (target: TryTarget) => void;
}

const icons = { tool: Wrench, prompt: MessageSquareText, resource: FileText, template: LayoutTemplate };

/** Lists what can be tried, by kind. */
export function TargetList({ rows, label, open, onOpen }: TargetListProps) {
  const openId = open && tryId(open);
  return (
    <VirtualList label={label} rows={rows} heightOf={() => 32} className="scrolls">
      {(row, { index, line }) =>
        row.kind === 'head' ? (
          <li className={`row ${classes.row}`} data-head="true" {...line}>
            <span className={classes.head}>{row.title}</span>
            <span className={classes.count}>{row.count}</span>
          </li>
        ) : (
          <li className={`row ${classes.row}`} {...line}>
            <TargetButton row={row} index={index} isOpen={tryId(row.target) === openId} onOpen={onOpen} />
          </li>
        )
      }
    </VirtualList>
  );
}

interface TargetButtonProps {
  readonly row: Exclude<TargetRow, { kind: 'head' }>;
  readonly index: number;
  readonly isOpen: boolean;
  readonly onOpen: (target: TryTarget) => void;
}

function TargetButton({ row, index, isOpen, onOpen }: TargetButtonProps) {
  const Icon = icons[row.target.kind];
  return (
    <button
      type="button"
      className={`row grow bare ${classes.item}`}
      data-row={index}
      data-off={row.off}
      aria-current={isOpen ? 'true' : undefined}
      title={row.target.name}
      onClick={() => onOpen(row.target)}
    >
      <Icon size={13} aria-hidden />
      <span className="truncate">{row.title}</span>
      {row.off && <span className={classes.off}>off</span>}
    </button>
  );
}
