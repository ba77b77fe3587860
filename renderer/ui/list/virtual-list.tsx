import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type Key, memo, type ReactNode, useMemo, useRef } from 'react';
import { useListKeys } from './use-list-keys.ts';

/** Position of a row in its list. */
export interface RowPlace {
  /** Index of the row; its main control is marked `data-row={index}`. */
  readonly index: number;
  /** Attributes for its `li`. */
  readonly line: {
    readonly style: CSSProperties;
    readonly 'aria-posinset': number;
    readonly 'aria-setsize': number;
  };
}

interface VirtualListProps<Row extends object> {
  readonly label: string;
  readonly rows: readonly Row[];
  /** Height in pixels. */
  readonly heightOf: (row: Row) => number;
  /** Defaults to the index: other rows then reuse the rendered lines, which is cheaper than new ones. */
  readonly keyOf?: (row: Row) => Key;
  /** Number of rows rendered beyond those on screen. */
  readonly overscan?: number;
  /** Class of the scrolling element. */
  readonly className: string | undefined;
  readonly isGrouped?: boolean;
  readonly children: (row: Row, place: RowPlace) => ReactNode;
}

/** A long list with arrow key navigation that renders only the visible rows. */
export function VirtualList<Row extends object>(props: VirtualListProps<Row>) {
  const { label, rows, heightOf, keyOf, overscan = 10, className, isGrouped, children } = props;
  const scroller = useRef<HTMLDivElement>(null);
  // New functions make it recompute every position, which for ten thousand rows takes as long as rendering
  // those on screen.
  const asked = useMemo(() => rowAccessors(rows, heightOf, keyOf), [rows, heightOf, keyOf]);
  const virtual = useVirtualizer({
    ...asked,
    count: rows.length,
    getScrollElement: () => scroller.current,
    overscan,
    initialRect: { width: 0, height: window.innerHeight * listShare },
  });
  const onKeyDown = useListKeys({ count: rows.length, show: (index) => virtual.scrollToIndex(index) });
  return (
    <div ref={scroller} className={className}>
      <ul
        aria-label={label}
        className="list-rows"
        data-grouped={isGrouped}
        style={{ height: virtual.getTotalSize() }}
        onKeyDown={onKeyDown}
      >
        {virtual.getVirtualItems().map(({ index, start, key }) => (
          <Line key={key} row={rows[index]} index={index} top={start} total={rows.length}>
            {children}
          </Line>
        ))}
      </ul>
    </div>
  );
}

/**
 * Approximate share of the window's height that a list has; that many rows are rendered at once. Measuring
 * the list first would render all rows in one synchronous step, which would delay key presses.
 */
const listShare = 0.75;

function rowAccessors<Row>(
  rows: readonly Row[],
  heightOf: (row: Row) => number,
  keyOf: ((row: Row) => Key) | undefined,
) {
  const at = <T,>(index: number, ask: ((row: Row) => T) | undefined): T | undefined => {
    const row = rows[index];
    return row && ask?.(row);
  };
  return {
    estimateSize: (index: number) => at(index, heightOf) ?? 0,
    getItemKey: (index: number) => at(index, keyOf) ?? index,
  };
}

interface LineProps<Row> {
  readonly row: Row | undefined;
  readonly index: number;
  readonly top: number;
  readonly total: number;
  readonly children: (row: Row, place: RowPlace) => ReactNode;
}

/** Not rendered again if only the list has moved. */
const Line = memo(function LineOfList<Row>({ row, index, top, total, children }: LineProps<Row>) {
  return row && children(row, placeOf(index, top, total));
}) as <Row>(props: LineProps<Row>) => ReactNode;

function placeOf(index: number, top: number, total: number): RowPlace {
  const style = { transform: `translateY(${top}px)` };
  return { index, line: { style, 'aria-posinset': index + 1, 'aria-setsize': total } };
}
