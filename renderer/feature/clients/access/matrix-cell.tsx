import { Ban, Check, ChevronRight, Hand } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { useStore } from 'zustand/react';
import type { Effect } from '../../../../shared/model/access/access.ts';
import type { ToolSummary } from '../../../../shared/model/tool/tool.ts';
import { openIdentityTools } from '../../../command/access/access-actions.ts';
import {
  accessCell,
  cellSentence,
  effectWords,
  type IdentityAccess,
  partsOf,
} from '../../../lib/server/access-cell.ts';
import { useModel, useServerTitle } from '../../../store/model-context.tsx';
import { GridPart } from '../../../ui/list/grid-part.tsx';
import classes from './access.module.css';
import { identityTitle } from './identity-labels.ts';
import type { GridPosition } from './use-grid-keys.ts';

interface MatrixCellProps {
  readonly standing: IdentityAccess;
  readonly serverKey: string;
  readonly position: GridPosition;
  readonly start: number;
  readonly tabIndex: number;
}

const icons = { allow: Check, ask: Hand, deny: Ban } as const;
const noTools: readonly ToolSummary[] = [];

/** Shows what one identity can do with one server; opens the tools. */
export function MatrixCell({ standing, serverKey, position, start, tabIndex }: MatrixCellProps) {
  const model = useModel();
  const tools = useStore(model.mirrors.tools, (all) => all[serverKey] ?? noTools);
  const cell = useMemo(
    () => accessCell(standing, serverKey, tools, model.now()),
    [standing, serverKey, tools, model],
  );
  const title = useServerTitle(serverKey);
  const who = identityTitle(standing.identity);
  return (
    <GridPart
      role="gridcell"
      aria-colindex={position.column + 2}
      className={classes.cell}
      style={{ left: start }}
    >
      <button
        type="button"
        data-cell={`${position.row}:${position.column}`}
        tabIndex={tabIndex}
        className={`row ${classes.cellButton}`}
        aria-label={`${who}, ${title}: ${cellSentence(cell)}`}
        title={cellSentence(cell)}
        onClick={() => openIdentityTools(model, standing.identity.id, serverKey)}
      >
        {cell.kind === 'partly' ? (
          partsOf(cell).map(([effect, count]) => (
            <Part key={effect} effect={effect}>
              {count}
            </Part>
          ))
        ) : (
          <Part effect={cell.kind}>{effectWords[cell.kind]}</Part>
        )}
        {cell.own && <span className={classes.ownDot} aria-hidden />}
        <ChevronRight size={12} className="fixed end dim" aria-hidden />
      </button>
    </GridPart>
  );
}

/** Shows an effect, with the number of tools it applies to where they differ. */
function Part({ effect, children }: { effect: Effect; children: ReactNode }) {
  const Icon = icons[effect];
  return (
    <span className={`row ${classes.cellPart}`} data-effect={effect}>
      <Icon size={13} aria-hidden />
      <span className="numeric">{children}</span>
    </span>
  );
}
