import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { ServerView } from '../../../../shared/model/server/server.ts';
import { GridPart } from '../../../ui/list/grid-part.tsx';
import { focusRow, useListKeys } from '../../../ui/list/use-list-keys.ts';
import { useRowFocus } from '../../../ui/list/use-row-focus.ts';
import { type Arrangement, nextSort, type SortColumn } from './arrange-servers.ts';
import { CompactRow, ServerRow } from './server-row.tsx';
import classes from './server-table.module.css';
import type { Selection } from './use-selection.ts';

interface ServerTableProps {
  readonly servers: readonly ServerView[];
  readonly arrangement: Arrangement;
  readonly onArrange: (arrangement: Arrangement) => void;
  /** The server whose page is open, which makes the table narrow. */
  readonly openKey: string | undefined;
  readonly selection: Selection;
}

/** Shows the servers as rows; only visible ones are rendered. */
export function ServerTable({ servers, arrangement, onArrange, openKey, selection }: ServerTableProps) {
  const kept = useRowFocus(servers, rowsOf);
  const scroller = useRef<HTMLDivElement>(null);
  const compact = openKey !== undefined;
  const virtual = useVirtualizer({
    count: servers.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 54,
    overscan: 8,
    getItemKey: (index) => servers[index]?.key ?? index,
  });
  const onKeyDown = useListKeys({ count: servers.length, show: (index) => virtual.scrollToIndex(index) });
  useRestoredRowFocus(
    kept.ref,
    servers.map(({ key }) => key),
    openKey,
  );
  return (
    <GridPart
      role="table"
      {...kept}
      aria-label="Servers"
      aria-rowcount={servers.length + 1}
      className={classes.table}
      data-selecting={selection.servers.length > 0}
      onKeyDown={(event) => {
        if (!selection.onKeyDown(event)) onKeyDown(event);
      }}
    >
      {!compact && <HeadRow arrangement={arrangement} onArrange={onArrange} />}
      <GridPart role="rowgroup" ref={scroller} className={`scrolls ${classes.scroller}`}>
        <div className="list-rows" style={{ height: virtual.getTotalSize() }} role="presentation">
          {virtual.getVirtualItems().map(({ index, start, key }) => {
            const server = servers[index];
            if (server === undefined) return null;
            const Row = compact ? CompactRow : ServerRow;
            return (
              <Row
                key={key}
                server={server}
                index={index}
                top={start}
                open={server.key === openKey}
                selection={selection}
              />
            );
          })}
        </div>
      </GridPart>
    </GridPart>
  );
}

function rowsOf(table: HTMLElement | null): readonly Element[] {
  return [...(table?.querySelectorAll('[role="row"]:has([data-row])') ?? [])];
}

const columns: readonly {
  readonly column: Exclude<SortColumn, 'file' | 'failures'>;
  readonly label: string;
}[] = [
  { column: 'status', label: 'Status' },
  { column: 'name', label: 'Server' },
  { column: 'tools', label: 'Tools' },
  { column: 'uptime', label: 'Uptime' },
  { column: 'restarts', label: 'Restarts' },
  { column: 'memory', label: 'Memory' },
  { column: 'cpu', label: 'CPU' },
];

function HeadRow({ arrangement, onArrange }: Pick<ServerTableProps, 'arrangement' | 'onArrange'>) {
  return (
    <GridPart role="rowgroup" className={classes.head}>
      <GridPart role="row" className={classes.grid}>
        {columns.map(({ column, label }) => {
          const sorted = arrangement.sort === column;
          const direction = arrangement.descending ? 'descending' : 'ascending';
          return (
            <GridPart
              key={column}
              role="columnheader"
              aria-sort={sorted ? direction : 'none'}
              data-column={column}
            >
              <button
                type="button"
                className={`bare ${classes.sort}`}
                onClick={() => onArrange(nextSort(arrangement, column))}
              >
                {label}
                {sorted &&
                  (arrangement.descending ? (
                    <ArrowDown size={12} aria-hidden />
                  ) : (
                    <ArrowUp size={12} aria-hidden />
                  ))}
              </button>
            </GridPart>
          );
        })}
        <GridPart role="columnheader" data-column="actions">
          <span className="visually-hidden">On or off, and actions</span>
        </GridPart>
      </GridPart>
    </GridPart>
  );
}

/**
 * Keeps the keyboard focus in the list. Opening or closing a page recreates the rows; if that removed the
 * focused element, focus moves to that server's row or the one now in its place.
 */
function useRestoredRowFocus(
  table: RefObject<HTMLElement | null>,
  keys: readonly string[],
  openKey: string | undefined,
): void {
  const before = useRef({ openKey, index: 0 });
  useLayoutEffect(() => {
    const index = openKey === undefined ? -1 : keys.indexOf(openKey);
    const position = index === -1 ? before.current.index : index;
    const isOther = before.current.openKey !== openKey;
    before.current = { openKey, index: position };
    const { activeElement, body } = document;
    if (!isOther || table.current === null || (activeElement !== null && activeElement !== body)) return;
    focusRow(table.current, Math.max(0, Math.min(position, keys.length - 1)));
  });
}
