import { useVirtualizer } from '@tanstack/react-virtual';
import { Bot, MonitorSmartphone } from 'lucide-react';
import { useRef } from 'react';
import { openIdentity } from '../../../command/access-actions.ts';
import { openServer } from '../../../command/navigate.ts';
import type { Standing } from '../../../lib/access-cell.ts';
import { useModel, useTimeText } from '../../../store/model-context.tsx';
import { GridPart } from '../../../ui/grid-part.tsx';
import classes from './access.module.css';
import { identityNote, identityTitle } from './identity-words.ts';
import { MatrixCell } from './matrix-cell.tsx';
import { useGridKeys } from './use-grid-keys.ts';

interface AccessMatrixProps {
  readonly standings: readonly Standing[];
  readonly servers: readonly string[];
}

const size = { head: 34, row: 46, who: 210, column: 124 } as const;

/** Everyone in rows, servers in columns; only what is on screen is drawn, and names stay in sight. */
export function AccessMatrix({ standings, servers }: AccessMatrixProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: standings.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => size.row,
    paddingStart: size.head,
    scrollPaddingStart: size.head,
    overscan: 4,
  });
  const columns = useVirtualizer({
    horizontal: true,
    count: servers.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => size.column,
    paddingStart: size.who,
    scrollPaddingStart: size.who,
    overscan: 3,
  });
  const shownRows = rows.getVirtualItems();
  const shownColumns = columns.getVirtualItems();
  const keys = useGridKeys({
    rows: standings.length,
    columns: servers.length,
    firstRow: shownRows[0]?.index ?? 0,
    lastRow: shownRows.at(-1)?.index ?? 0,
    show: ({ row, column }) => {
      rows.scrollToIndex(row);
      if (column >= 0) columns.scrollToIndex(column);
    },
  });
  const width = columns.getTotalSize();
  return (
    <GridPart
      role="grid"
      ref={scroller}
      aria-label="Who may call what"
      aria-rowcount={standings.length + 1}
      aria-colcount={servers.length + 1}
      className={classes.scroller}
      onKeyDown={keys.onKeyDown}
      onFocus={keys.onFocus}
    >
      <div role="presentation" className={classes.sheet} style={{ width, height: rows.getTotalSize() }}>
        <GridPart role="row" aria-rowindex={1} className={classes.headRow} style={{ width }}>
          <GridPart role="columnheader" aria-colindex={1} className={classes.corner}>
            {servers.length === 0 ? 'No servers yet' : 'Who'}
          </GridPart>
          {shownColumns.map(({ index, start }) => (
            <ServerHead key={servers[index]} serverKey={servers[index] ?? ''} index={index} start={start} />
          ))}
        </GridPart>
        {shownRows.map(({ index, start }) => {
          const standing = standings[index];
          if (standing === undefined) return null;
          return (
            <GridPart
              key={standing.identity.id}
              role="row"
              aria-rowindex={index + 2}
              className={classes.row}
              style={{ width, transform: `translateY(${start}px)` }}
            >
              <IdentityHead standing={standing} tabIndex={keys.tabIndex(index, -1)} row={index} />
              {shownColumns.map((column) => (
                <MatrixCell
                  key={servers[column.index]}
                  standing={standing}
                  serverKey={servers[column.index] ?? ''}
                  place={{ row: index, column: column.index }}
                  start={column.start}
                  tabIndex={keys.tabIndex(index, column.index)}
                />
              ))}
            </GridPart>
          );
        })}
      </div>
    </GridPart>
  );
}

function ServerHead({ serverKey, index, start }: { serverKey: string; index: number; start: number }) {
  const model = useModel();
  return (
    <GridPart
      role="columnheader"
      aria-colindex={index + 2}
      className={classes.server}
      style={{ left: start }}
    >
      <button
        type="button"
        tabIndex={-1}
        title={serverKey}
        onClick={() => openServer(model, serverKey, 'overview')}
      >
        {serverKey}
      </button>
    </GridPart>
  );
}

interface IdentityHeadProps {
  readonly standing: Standing;
  readonly row: number;
  readonly tabIndex: number;
}

function IdentityHead({ standing: { identity }, row, tabIndex }: IdentityHeadProps) {
  const model = useModel();
  const note = useTimeText((now) => identityNote(identity, now));
  const Icon = identity.kind === 'agent' ? Bot : MonitorSmartphone;
  return (
    <GridPart role="rowheader" aria-colindex={1} className={classes.who}>
      <button
        type="button"
        data-cell={`${row}:-1`}
        tabIndex={tabIndex}
        className={classes.whoButton}
        data-ended={identity.revokedAt !== undefined}
        onClick={() => openIdentity(model, identity.id)}
      >
        <Icon size={15} aria-hidden />
        <span className={classes.whoName}>{identityTitle(identity)}</span>
        <span className={classes.whoNote}>{note}</span>
      </button>
    </GridPart>
  );
}
