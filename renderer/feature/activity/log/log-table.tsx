import { Button } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowUp, ChevronDown, ChevronRight } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { Tone } from '../../../../shared/model/server/server-look.ts';
import { formatExactMoment, formatStamp } from '../../../lib/text/format-time.ts';
import { useModel } from '../../../store/model-context.tsx';
import { ScrollRegion } from '../../../ui/list/scroll-region.tsx';
import { useListKeys } from '../../../ui/list/use-list-keys.ts';
import {
  type FoldLine,
  type FoldRule,
  foldRemark,
  foldRows,
  linesOf,
  type Moment,
  newestFirst,
} from './fold-rows.ts';
import classes from './log-table.module.css';

interface LogTableProps<T extends Moment> {
  readonly label: string;
  /** Heads after the time; `columns` is the class that gives all columns their widths. */
  readonly heads: ReactNode;
  readonly columns: string | undefined;
  readonly rows: readonly T[];
  readonly idOf: (row: T) => number;
  readonly folds: FoldRule<T>;
  /** True for a change of status, which nobody asked for. */
  readonly isStatus: (row: T) => boolean;
  /** Cells after the time; `repeats` counts the rows of a group. */
  readonly cells: (row: T, repeats?: ReactNode) => ReactNode;
  readonly selected: number | undefined;
  readonly onSelect: (id: number) => void;
  readonly onScroll: (isAtTop: boolean) => void;
  /** Loads older rows; undefined if there are none. */
  readonly loadMore: (() => void) | undefined;
  /** Shows the rows that were held back, and how many there are; undefined if there are none. */
  readonly held: { readonly text: string; readonly show: () => void } | undefined;
}

/** Lists recorded rows, newest first, repeats as one line that expands; only what is on screen is rendered. */
export function LogTable<T extends Moment>(props: LogTableProps<T>) {
  const { label, heads, columns, idOf, isStatus, cells, selected, onSelect, held } = props;
  const { now } = useModel();
  const { lines, toggle } = useLines(props);
  const scroller = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 36,
    overscan: 12,
    getItemKey: (index) => keyOf(lines[index], idOf) ?? index,
  });
  const onKeyDown = useListKeys({ count: lines.length, show: (index) => virtual.scrollToIndex(index) });
  const items = virtual.getVirtualItems();
  useScrolling(props, scroller, items.at(-1)?.index ?? 0, lines.length);
  const lineClass = `${classes.line} ${columns}`;
  return (
    <div className={`pane ${classes.frame}`}>
      <div className={`${classes.heads} ${columns}`} aria-hidden>
        <span>Time</span>
        {heads}
      </div>
      <ScrollRegion label={label} className={`scrolls ${classes.scroller}`} ref={scroller}>
        <ol className="list-rows" style={{ height: virtual.getTotalSize() }} onKeyDown={onKeyDown}>
          {items.map(({ index, start, key }) => {
            const line = lines[index];
            if (line === undefined) return null;
            const row = line.kind === 'fold' ? line.fold.row : line.row;
            const isSelected = line.kind === 'row' && idOf(row) === selected;
            return (
              <li key={key} className={classes.item} style={{ transform: `translateY(${start}px)` }}>
                <button
                  type="button"
                  className={lineClass}
                  data-row={index}
                  data-selected={isSelected}
                  data-part={line.kind === 'row' && line.isPart}
                  data-status={isStatus(row)}
                  aria-current={isSelected || undefined}
                  aria-expanded={line.kind === 'fold' ? line.isOpen : undefined}
                  onClick={() => (line.kind === 'fold' ? toggle(line.id) : onSelect(idOf(row)))}
                >
                  <Stamp at={row.at} />
                  {line.kind === 'row'
                    ? cells(row)
                    : cells(
                        row,
                        <Repeats isOpen={line.isOpen}>{foldRemark(line.fold, isStatus(row), now())}</Repeats>,
                      )}
                </button>
              </li>
            );
          })}
        </ol>
      </ScrollRegion>
      {held !== undefined && (
        <Button
          className={classes.toTop ?? ''}
          leftSection={<ArrowUp size={13} aria-hidden />}
          onClick={() => {
            held.show();
            virtual.scrollToOffset(0);
          }}
        >
          {held.text}
        </Button>
      )}
    </div>
  );
}

/** Returns the lines with repeats grouped, and a function that expands or collapses a group. */
function useLines<T extends Moment>({ rows: unsorted, folds, idOf }: LogTableProps<T>) {
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const rows = useMemo(() => newestFirst(unsorted, idOf), [unsorted, idOf]);
  const folded = useMemo(() => foldRows(rows, folds), [rows, folds]);
  const lines = useMemo(() => linesOf(folded, idOf, opened), [folded, idOf, opened]);
  const toggle = (id: number) =>
    setOpened((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  return { lines, toggle };
}

/** Loads older rows near the end, and reports scrolling, so that new rows do not push away what is read. */
function useScrolling<T extends Moment>(
  { loadMore, onScroll }: LogTableProps<T>,
  scroller: { readonly current: HTMLElement | null },
  last: number,
  count: number,
): void {
  useEffect(() => {
    if (last >= count - 20) loadMore?.();
  }, [last, count, loadMore]);
  useEffect(() => {
    const element = scroller.current;
    const report = () => onScroll(element?.scrollTop === 0);
    element?.addEventListener('scroll', report, { passive: true });
    return () => element?.removeEventListener('scroll', report);
  }, [scroller, onScroll]);
}

function keyOf<T>(line: FoldLine<T> | undefined, idOf: (row: T) => number): string | number | undefined {
  if (line === undefined) return undefined;
  return line.kind === 'fold' ? `fold ${line.id}` : idOf(line.row);
}

function Repeats({ isOpen, children }: { isOpen: boolean; children: string }) {
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <span className={classes.repeats}>
      <Chevron size={13} aria-hidden />
      {children}
    </span>
  );
}

function Stamp({ at }: { at: number }) {
  const { now } = useModel();
  return (
    <time
      className="dim tiny numeric nowrap"
      dateTime={new Date(at).toISOString()}
      title={formatExactMoment(at)}
    >
      {formatStamp(at, now())}
    </time>
  );
}

/** Names an outcome in text as well as in colour. */
export function Outcome({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className={classes.outcome} data-tone={tone}>
      {children}
    </span>
  );
}

/** Shows what a row says, cut where it does not fit. */
export function Remark({ children }: { children: string | undefined }) {
  if (children === undefined || children === '') return null;
  return (
    <span className={`truncate ${classes.remark}`} title={children}>
      {children}
    </span>
  );
}
