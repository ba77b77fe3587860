import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import type { ToolSummary } from '../../shared/model/tool.ts';
import { queryWords } from '../lib/match-words.ts';
import type { ToolRow } from '../lib/tool-rows.ts';
import { GroupLine, ToolLine } from './tool-lines.tsx';
import classes from './tool-list.module.css';
import { useListKeys } from './use-list-keys.ts';

interface ToolListProps {
  readonly rows: readonly ToolRow[];
  readonly query: string;
  readonly label: string;
  readonly open: Pick<ToolSummary, 'serverKey' | 'name'> | undefined;
  readonly onOpen: (tool: ToolSummary) => void;
  readonly onToggleGroup?: (serverKey: string) => void;
}

/** Tools as lines, with a head per server where the rows have heads. Only what is on screen is drawn. */
export function ToolList({ rows, query, label, open, onOpen, onToggleGroup }: ToolListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const words = useMemo(() => queryWords(query), [query]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]?.kind === 'group' ? 38 : 46),
    overscan: 10,
    getItemKey: (index) => rowKey(rows[index]),
  });
  const onKeyDown = useListKeys({ count: rows.length, show: (index) => virtual.scrollToIndex(index) });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move the focus among the buttons inside
    <div ref={scroller} className={classes.scroller} onKeyDown={onKeyDown}>
      <ul
        className={classes.rows}
        data-grouped={rows[0]?.kind === 'group'}
        style={{ height: virtual.getTotalSize() }}
        aria-label={label}
      >
        {virtual.getVirtualItems().map(({ index, start, key }) => {
          const row = rows[index];
          if (row === undefined) return null;
          const place = { index, top: start, total: rows.length };
          return row.kind === 'group' ? (
            <GroupLine
              key={key}
              row={row}
              place={place}
              onToggle={() => onToggleGroup?.(row.group.serverKey)}
            />
          ) : (
            <ToolLine
              key={key}
              tool={row.tool}
              place={place}
              words={words}
              open={open?.name === row.tool.name && open.serverKey === row.tool.serverKey}
              onOpen={() => onOpen(row.tool)}
            />
          );
        })}
      </ul>
    </div>
  );
}

function rowKey(row: ToolRow | undefined): string {
  if (row === undefined) return '';
  return row.kind === 'group' ? row.group.serverKey : `${row.tool.serverKey}:${row.tool.name}`;
}
