import { Bot, MonitorSmartphone } from 'lucide-react';
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
import { type AccessGrid, itemsAt, useAccessGrid } from './use-access-grid.ts';

interface AccessMatrixProps {
  readonly standings: readonly IdentityAccess[];
  readonly servers: readonly string[];
}

/**
 * Shows servers as rows and identities as columns, since clients are few. Only visible cells are rendered;
 * the names stay in view.
 */
export function AccessMatrix({ standings, servers }: AccessMatrixProps) {
  const grid = useAccessGrid(servers.length, standings.length);
  const { keys, columns, width } = grid;
  return (
    <GridPart
      role="grid"
      ref={grid.scroller}
      aria-label="Who may call what"
      aria-rowcount={servers.length + 1}
      aria-colcount={standings.length + 1}
      className="scrolls list-rows"
      data-scrolls-sideways
      onKeyDown={keys.onKeyDown}
      onFocus={keys.onFocus}
    >
      <div role="presentation" className={classes.sheet} style={{ width, height: grid.height }}>
        <GridPart role="row" aria-rowindex={1} className={classes.headRow} style={{ width }}>
          <GridPart role="columnheader" aria-colindex={1} className={classes.corner}>
            {servers.length === 0 ? 'No servers yet' : 'Server'}
          </GridPart>
          {itemsAt(columns, standings).map(({ index, start, item }) => (
            <IdentityHead
              key={item.identity.id}
              standing={item}
              column={index}
              start={start}
              tabIndex={keys.tabIndex(-1, index)}
            />
          ))}
        </GridPart>
        {itemsAt(grid.rows, servers).map(({ index, start, item }) => (
          <ServerRow
            key={item}
            serverKey={item}
            row={index}
            start={start}
            standings={standings}
            grid={grid}
          />
        ))}
      </div>
    </GridPart>
  );
}

interface ServerRowProps {
  readonly serverKey: string;
  readonly row: number;
  readonly start: number;
  readonly standings: readonly IdentityAccess[];
  readonly grid: AccessGrid;
}

function ServerRow({ serverKey, row, start, standings, grid: { keys, columns, width } }: ServerRowProps) {
  return (
    <GridPart
      role="row"
      aria-rowindex={row + 2}
      className={classes.row}
      style={{ width, transform: `translateY(${start}px)` }}
    >
      <ServerHead serverKey={serverKey} row={row} tabIndex={keys.tabIndex(row, -1)} />
      {itemsAt(columns, standings).map(({ index, start: left, item }) => (
        <MatrixCell
          key={item.identity.id}
          standing={item}
          serverKey={serverKey}
          position={{ row, column: index }}
          start={left}
          tabIndex={keys.tabIndex(row, index)}
        />
      ))}
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
