import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { useGridKeys } from './use-grid-keys.ts';

export type AccessGrid = ReturnType<typeof useAccessGrid>;

/** Sizes in pixels: the header row, a row, the column of servers, a column. */
const size = { head: 52, row: 44, server: 210, column: 148 } as const;

/** Returns the visible rows and columns of the matrix, its whole size, and its keys. */
export function useAccessGrid(rowCount: number, columnCount: number) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: rowCount,
    getScrollElement: () => scroller.current,
    estimateSize: () => size.row,
    paddingStart: size.head,
    scrollPaddingStart: size.head,
    overscan: 4,
  });
  const columns = useVirtualizer({
    horizontal: true,
    count: columnCount,
    getScrollElement: () => scroller.current,
    estimateSize: () => size.column,
    paddingStart: size.server,
    scrollPaddingStart: size.server,
    overscan: 3,
  });
  const shownRows = rows.getVirtualItems();
  const shownColumns = columns.getVirtualItems();
  const keys = useGridKeys({
    rows: rowCount,
    columns: columnCount,
    firstRow: shownRows[0]?.index ?? 0,
    lastRow: shownRows.at(-1)?.index ?? 0,
    firstColumn: shownColumns[0]?.index ?? 0,
    lastColumn: shownColumns.at(-1)?.index ?? 0,
    show: ({ row, column }) => {
      if (row >= 0) rows.scrollToIndex(row);
      if (column >= 0) columns.scrollToIndex(column);
    },
  });
  return {
    scroller,
    rows: shownRows,
    columns: shownColumns,
    width: columns.getTotalSize(),
    height: rows.getTotalSize(),
    keys,
  };
}

/** Joins visible positions with their items; a position may outlive its item by one frame. */
export function itemsAt<T>(shown: readonly VirtualItem[], items: readonly T[]) {
  return shown.flatMap(({ index, start }) => {
    const item = items[index];
    return item === undefined ? [] : [{ index, start, item }];
  });
}
