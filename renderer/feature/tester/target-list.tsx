import { useVirtualizer } from '@tanstack/react-virtual';
import { FileText, LayoutTemplate, MessageSquareText, Wrench } from 'lucide-react';
import { useRef } from 'react';
import { type TryTarget, tryId } from '../../store/tester-store.ts';
import { useListKeys } from '../../ui/use-list-keys.ts';
import classes from './target-list.module.css';
import type { TargetRow } from './target-rows.ts';

interface TargetListProps {
  readonly rows: readonly TargetRow[];
  readonly label: string;
  readonly open: TryTarget | undefined;
  readonly onOpen: (target: TryTarget) => void;
}

const icons = { tool: Wrench, prompt: MessageSquareText, resource: FileText, template: LayoutTemplate };

/** What can be tried, by kind. Only what is on screen is drawn. */
export function TargetList({ rows, label, open, onOpen }: TargetListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 32,
    overscan: 12,
  });
  const onKeyDown = useListKeys({ count: rows.length, show: (index) => virtual.scrollToIndex(index) });
  const openId = open && tryId(open);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move the focus among the buttons inside
    <div ref={scroller} className={classes.scroller} onKeyDown={onKeyDown}>
      <ul className={classes.rows} style={{ height: virtual.getTotalSize() }} aria-label={label}>
        {virtual.getVirtualItems().map(({ index, start, key }) => {
          const row = rows[index];
          if (row === undefined) return null;
          const place = {
            className: classes.row,
            style: { transform: `translateY(${start}px)` },
            'aria-setsize': rows.length,
            'aria-posinset': index + 1,
          };
          if (row.kind === 'head') {
            return (
              <li key={key} {...place} data-head="true">
                <span className={classes.head}>{row.title}</span>
                <span className={classes.count}>{row.count}</span>
              </li>
            );
          }
          const Icon = icons[row.target.kind];
          const isOpen = tryId(row.target) === openId;
          return (
            <li key={key} {...place}>
              <button
                type="button"
                className={classes.item}
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
            </li>
          );
        })}
      </ul>
    </div>
  );
}
