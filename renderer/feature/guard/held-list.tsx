import { useVirtualizer } from '@tanstack/react-virtual';
import { Eye } from 'lucide-react';
import { useRef } from 'react';
import type { HeldTool } from '../../../shared/model/guard.ts';
import { useListKeys } from '../../ui/use-list-keys.ts';
import classes from './review-dialog.module.css';

interface HeldListProps {
  readonly held: readonly HeldTool[];
  readonly open: HeldTool | undefined;
  readonly onOpen: (tool: HeldTool) => void;
}

/** What is held of one server; only what is on screen is drawn. */
export function HeldList({ held, open, onOpen }: HeldListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: held.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 46,
    overscan: 10,
    getItemKey: (index) => `${held[index]?.digest} ${held[index]?.name}`,
  });
  const onKeyDown = useListKeys({ count: held.length, show: (index) => virtual.scrollToIndex(index) });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move the focus among the buttons inside
    <div ref={scroller} className={classes.list} onKeyDown={onKeyDown}>
      <ul aria-label="Held tools" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, key }) => {
          const tool = held[index];
          if (tool === undefined) return null;
          const isOpen = tool.digest === open?.digest && tool.name === open.name;
          return (
            <li
              key={key}
              className={classes.row}
              data-open={isOpen}
              style={{ transform: `translateY(${start}px)` }}
              aria-posinset={index + 1}
              aria-setsize={held.length}
            >
              <button
                type="button"
                className={classes.open}
                data-row={index}
                aria-current={isOpen ? 'true' : undefined}
                onClick={() => onOpen(tool)}
              >
                <span className={classes.rowName}>{tool.name}</span>
                <span className={classes.rowNote}>
                  {stateWords(tool)}
                  {tool.flags > 0 && (
                    <span className={classes.rowFlags}>
                      <Eye size={12} aria-hidden /> {tool.flags} worth a look
                    </span>
                  )}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function stateWords({ kind, blocked }: HeldTool): string {
  if (blocked) return 'Kept away';
  return kind === 'new' ? 'New' : 'Changed';
}
