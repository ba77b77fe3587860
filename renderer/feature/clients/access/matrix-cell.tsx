import { Ban, Check, CircleDotDashed, Hand } from 'lucide-react';
import { useMemo } from 'react';
import { useStore } from 'zustand/react';
import type { ToolSummary } from '../../../../shared/model/tool.ts';
import { openIdentityTools } from '../../../command/access-actions.ts';
import { type AccessCell, accessCell, type Standing } from '../../../lib/access-cell.ts';
import { useModel } from '../../../store/model-context.tsx';
import { GridPart } from '../../../ui/grid-part.tsx';
import classes from './access.module.css';
import { identityTitle } from './identity-words.ts';
import type { GridPlace } from './use-grid-keys.ts';

interface MatrixCellProps {
  readonly standing: Standing;
  readonly serverKey: string;
  readonly place: GridPlace;
  readonly start: number;
  readonly tabIndex: number;
}

const icons = { allow: Check, ask: Hand, deny: Ban, partly: CircleDotDashed } as const;
const noTools: readonly ToolSummary[] = [];

/** What one identity may do with one server; opens the tools. */
export function MatrixCell({ standing, serverKey, place, start, tabIndex }: MatrixCellProps) {
  const model = useModel();
  const tools = useStore(model.mirrors.tools, (all) => all[serverKey] ?? noTools);
  const cell = useMemo(
    () => accessCell(standing, serverKey, tools, model.now()),
    [standing, serverKey, tools, model],
  );
  const Icon = icons[cell.kind];
  const who = identityTitle(standing.identity);
  return (
    <GridPart
      role="gridcell"
      aria-colindex={place.column + 2}
      className={classes.cell}
      style={{ left: start }}
    >
      <button
        type="button"
        data-cell={`${place.row}:${place.column}`}
        data-kind={cell.kind}
        tabIndex={tabIndex}
        className={classes.cellButton}
        aria-label={`${who}, ${serverKey}: ${cellSentence(cell)}`}
        title={cellSentence(cell)}
        onClick={() => openIdentityTools(model, standing.identity.id, serverKey)}
      >
        <Icon size={13} aria-hidden />
        <span className="numeric">{cellWord(cell)}</span>
        {cell.own && <span className={classes.ownDot} aria-hidden />}
      </button>
    </GridPart>
  );
}

function cellWord({ kind, counts }: AccessCell): string {
  if (kind !== 'partly') return words[kind];
  const may = counts.allow + counts.ask;
  return `${may} of ${may + counts.deny}`;
}

const words = { allow: 'Allowed', ask: 'Asks', deny: 'Denied' } as const;

function cellSentence({ kind, counts, own }: AccessCell): string {
  const source = own ? 'by a rule of its own' : 'by general rules';
  if (kind !== 'partly') return `${words[kind].toLowerCase()} ${source}`;
  const parts = [
    counts.allow > 0 ? `${counts.allow} allowed` : '',
    counts.ask > 0 ? `${counts.ask} ask first` : '',
    counts.deny > 0 ? `${counts.deny} denied` : '',
  ];
  return `${parts.filter(Boolean).join(', ')} ${source}`;
}
