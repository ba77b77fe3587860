import { useVirtualizer } from '@tanstack/react-virtual';
import { Bot, MonitorSmartphone } from 'lucide-react';
import { useRef } from 'react';
import { useStore } from 'zustand/react';
import { openIdentity } from '../../../command/access/access-actions.ts';
import { openServer } from '../../../command/navigate.ts';
import type { IdentityAccess } from '../../../lib/server/access-cell.ts';
import { formatCount } from '../../../lib/text/format-amount.ts';
import { useModel, useServerTitle, useTimeText } from '../../../store/model-context.tsx';
import { GridPart } from '../../../ui/list/grid-part.tsx';
import classes from './access.module.css';
import { identityNote, identityTitle } from './identity-labels.ts';
import { MatrixCell } from './matrix-cell.tsx';
import { useGridKeys } from './use-grid-keys.ts';

interface AccessMatrixProps {
  readonly standings: readonly IdentityAccess[];
  readonly servers: readonly string[];
}

const size = { head: 52, row: 44, server: 210, column: 148 } as const;

/**
 * Shows servers as rows and identities as columns, since clients are few. Only visible cells are rendered;
 * the names stay in view.
 */
export function AccessMatrix({ standings, servers }: AccessMatrixProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: servers.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => size.row,
    paddingStart: size.head,
    scrollPaddingStart: size.head,
    overscan: 4,
  });
  const columns = useVirtualizer({
    horizontal: true,
    count: standings.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => size.column,
    paddingStart: size.server,
    scrollPaddingStart: size.server,
    overscan: 3,
  });
  const shownRows = rows.getVirtualItems();
  const shownColumns = columns.getVirtualItems();
  const keys = useGridKeys({
    rows: servers.length,
    columns: standings.length,
    firstRow: shownRows[0]?.index ?? 0,
    lastRow: shownRows.at(-1)?.index ?? 0,
    firstColumn: shownColumns[0]?.index ?? 0,
    lastColumn: shownColumns.at(-1)?.index ?? 0,
    show: ({ row, column }) => {
      if (row >= 0) rows.scrollToIndex(row);
      if (column >= 0) columns.scrollToIndex(column);
    },
  });
  const width = columns.getTotalSize();
  return (
    <GridPart
      role="grid"
      ref={scroller}
      aria-label="Who may call what"
      aria-rowcount={servers.length + 1}
      aria-colcount={standings.length + 1}
      className="scrolls list-rows"
      data-scrolls-sideways
      onKeyDown={keys.onKeyDown}
      onFocus={keys.onFocus}
    >
      <div role="presentation" className={classes.sheet} style={{ width, height: rows.getTotalSize() }}>
        <GridPart role="row" aria-rowindex={1} className={classes.headRow} style={{ width }}>
          <GridPart role="columnheader" aria-colindex={1} className={classes.corner}>
            {servers.length === 0 ? 'No servers yet' : 'Server'}
          </GridPart>
          {shownColumns.map(({ index, start }) => {
            const standing = standings[index];
            return (
              standing && (
                <IdentityHead
                  key={standing.identity.id}
                  standing={standing}
                  column={index}
                  start={start}
                  tabIndex={keys.tabIndex(-1, index)}
                />
              )
            );
          })}
        </GridPart>
        {shownRows.map(({ index, start }) => {
          const serverKey = servers[index];
          if (serverKey === undefined) return null;
          return (
            <GridPart
              key={serverKey}
              role="row"
              aria-rowindex={index + 2}
              className={classes.row}
              style={{ width, transform: `translateY(${start}px)` }}
            >
              <ServerHead serverKey={serverKey} row={index} tabIndex={keys.tabIndex(index, -1)} />
              {shownColumns.map((column) => {
                const standing = standings[column.index];
                return (
                  standing && (
                    <MatrixCell
                      key={standing.identity.id}
                      standing={standing}
                      serverKey={serverKey}
                      position={{ row: index, column: column.index }}
                      start={column.start}
                      tabIndex={keys.tabIndex(index, column.index)}
                    />
                  )
                );
              })}
            </GridPart>
          );
        })}
      </div>
    </GridPart>
  );
}

interface ServerHeadProps {
  readonly serverKey: string;
  readonly row: number;
  readonly tabIndex: number;
}

function ServerHead({ serverKey, row, tabIndex }: ServerHeadProps) {
  const model = useModel();
  const tools = useStore(model.mirrors.tools, (all) => all[serverKey]?.length ?? 0);
  const title = useServerTitle(serverKey);
  return (
    <GridPart role="rowheader" aria-colindex={1} className={classes.server}>
      <button
        type="button"
        data-cell={`${row}:-1`}
        tabIndex={tabIndex}
        className={`bare ${classes.serverButton}`}
        title={`Open ${title}`}
        onClick={() => openServer(model, serverKey, 'overview')}
      >
        <span className="truncate grow medium">{title}</span>
        <span className={classes.note}>{formatCount(tools, 'tool')}</span>
      </button>
    </GridPart>
  );
}

interface IdentityHeadProps {
  readonly standing: IdentityAccess;
  readonly column: number;
  readonly start: number;
  readonly tabIndex: number;
}

function IdentityHead({ standing: { identity }, column, start, tabIndex }: IdentityHeadProps) {
  const model = useModel();
  const note = useTimeText((now) => identityNote(identity, now));
  const Icon = identity.kind === 'agent' ? Bot : MonitorSmartphone;
  const title = identityTitle(identity);
  return (
    <GridPart role="columnheader" aria-colindex={column + 2} className={classes.who} style={{ left: start }}>
      <button
        type="button"
        data-cell={`-1:${column}`}
        tabIndex={tabIndex}
        className={`bare ${classes.whoButton}`}
        data-ended={identity.revokedAt !== undefined}
        title={`${title}, ${identity.kind}. ${note}`}
        onClick={() => openIdentity(model, identity.id)}
      >
        <Icon size={15} aria-hidden />
        <span className={classes.whoName}>{title}</span>
        <span className={classes.note}>{note}</span>
      </button>
    </GridPart>
  );
}
