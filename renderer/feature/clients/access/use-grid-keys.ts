import { type FocusEvent, type KeyboardEvent, useRef, useState } from 'react';
import { focusWhenRendered } from '../../../ui/list/focus-when-rendered.ts';

/** A cell of the grid; row headers are in column -1, column headers in row -1. */
export interface GridPosition {
  readonly row: number;
  readonly column: number;
}

interface GridKeys {
  readonly rows: number;
  readonly columns: number;
  /** Rendered rows and columns, without their headers. */
  readonly firstRow: number;
  readonly lastRow: number;
  readonly firstColumn: number;
  readonly lastColumn: number;
  /** Scrolls a cell into view; it may not be rendered yet. */
  readonly show: (place: GridPosition) => void;
}

type Step = (place: GridPosition, size: { readonly rows: number; readonly columns: number }) => GridPosition;

const steps: Readonly<Record<string, Step>> = {
  ArrowDown: ({ row, column }) => ({ row: row + 1, column }),
  ArrowUp: ({ row, column }) => ({ row: row - 1, column }),
  ArrowRight: ({ row, column }) => ({ row, column: column + 1 }),
  ArrowLeft: ({ row, column }) => ({ row, column: column - 1 }),
  PageDown: ({ row, column }) => ({ row: row + 10, column }),
  PageUp: ({ row, column }) => ({ row: row - 10, column }),
  Home: ({ row }) => ({ row, column: -1 }),
  End: ({ row }, { columns }) => ({ row, column: columns - 1 }),
};

/**
 * Makes one cell reachable by Tab and the others by arrow keys. Cells are marked `data-cell="row:column"`.
 */
export function useGridKeys({ rows, columns, show, ...rendered }: GridKeys) {
  const { firstRow, lastRow, firstColumn, lastColumn } = rendered;
  const [active, setActive] = useState<GridPosition>({ row: 0, column: -1 });
  /** The cell that keys have moved to, until it has the focus; further keys start there. */
  const pending = useRef<GridPosition | undefined>(undefined);
  const isRendered =
    isWithin(active.row, firstRow, lastRow) && isWithin(active.column, firstColumn, lastColumn);
  /** Falls back to a row header, since every rendered row has one. */
  const focusable = isRendered ? active : { row: firstRow, column: -1 };
  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const position = positionOf(event.target);
    const step = steps[event.key];
    if (position === undefined || step === undefined) return;
    event.preventDefault();
    const next = step(pending.current ?? position, { rows, columns });
    const target = {
      // The corner has no cell.
      row: Math.min(rows - 1, Math.max(next.column < 0 ? 0 : -1, next.row)),
      column: Math.min(columns - 1, Math.max(next.row < 0 ? 0 : -1, next.column)),
    };
    pending.current = target;
    show(target);
    setActive(target);
    const grid = event.currentTarget;
    focusWhenRendered(() => grid.querySelector<HTMLElement>(`[data-cell="${target.row}:${target.column}"]`), {
      isWanted: () => pending.current === target,
      onEnd: () => {
        pending.current = undefined;
      },
    });
  }
  return {
    onKeyDown,
    onFocus: (event: FocusEvent<HTMLElement>) => {
      const position = positionOf(event.target);
      if (position !== undefined) setActive(position);
    },
    tabIndex: (row: number, column: number) =>
      row === focusable.row && column === focusable.column ? 0 : -1,
  };
}

function isWithin(index: number, first: number, last: number): boolean {
  return index === -1 || (index >= first && index <= last);
}

function positionOf(target: EventTarget): GridPosition | undefined {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-cell]') : null;
  const [row, column] = (cell?.dataset.cell ?? '').split(':').map(Number);
  return row === undefined || column === undefined ? undefined : { row, column };
}
