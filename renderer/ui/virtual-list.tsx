import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, Fragment, type Key, type ReactNode, useRef } from 'react';
import { useListKeys } from './use-list-keys.ts';

/** Where a row stands in its list. */
export interface RowPlace {
  /** Its main control is marked `data-row={index}`. */
  readonly index: number;
  /** Of its `li`. */
  readonly line: {
    readonly style: CSSProperties;
    readonly 'aria-posinset': number;
    readonly 'aria-setsize': number;
  };
}

interface VirtualListProps<Row extends object> {
  readonly label: string;
  readonly rows: readonly Row[];
  /** Pixels. */
  readonly heightOf: (row: Row) => number;
  /** By place unless said otherwise: then other rows are drawn into the lines that are there, which costs less than new ones. */
  readonly keyOf?: (row: Row) => Key;
  /** Rows that are drawn beyond those on screen. */
  readonly overscan?: number;
  /** Of the part that scrolls. */
  readonly className: string | undefined;
  readonly listClassName?: string | undefined;
  readonly isGrouped?: boolean;
  readonly children: (row: Row, place: RowPlace) => ReactNode;
}

/** A long list whose rows are reached by arrow keys. Only what is on screen is drawn. */
export function VirtualList<Row extends object>(props: VirtualListProps<Row>) {
  const {
    label,
    rows,
    heightOf,
    keyOf,
    overscan = 10,
    className,
    listClassName,
    isGrouped,
    children,
  } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const at = <T,>(index: number, ask: ((row: Row) => T) | undefined): T | undefined => {
    const row = rows[index];
    return row && ask?.(row);
  };
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => at(index, heightOf) ?? 0,
    overscan,
    getItemKey: (index) => at(index, keyOf) ?? index,
  });
  const onKeyDown = useListKeys({ count: rows.length, show: (index) => virtual.scrollToIndex(index) });
  return (
    <div ref={scroller} className={className}>
      <ul
        aria-label={label}
        className={listClassName}
        data-grouped={isGrouped}
        style={{ height: virtual.getTotalSize() }}
        onKeyDown={onKeyDown}
      >
        {virtual.getVirtualItems().map(({ index, start, key }) => (
          <Fragment key={key}>
            {at(index, (row) => children(row, placeOf(index, start, rows.length)))}
          </Fragment>
        ))}
      </ul>
    </div>
  );
}

function placeOf(index: number, top: number, total: number): RowPlace {
  const style = { transform: `translateY(${top}px)` };
  return { index, line: { style, 'aria-posinset': index + 1, 'aria-setsize': total } };
}
