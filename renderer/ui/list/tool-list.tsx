import { useMemo } from 'react';
import type { ToolSummary } from '../../../shared/model/tool/tool.ts';
import { queryWords } from '../../lib/text/match-words.ts';
import type { ToolRow } from '../../lib/tool/tool-rows.ts';
import { GroupLine, ToolLine } from './tool-lines.tsx';
import { VirtualList } from './virtual-list.tsx';

interface ToolListProps {
  readonly rows: readonly ToolRow[];
  readonly query: string;
  readonly label: string;
  readonly open: Pick<ToolSummary, 'serverKey' | 'name'> | undefined;
  readonly onOpen: (tool: ToolSummary) => void;
  readonly onToggleGroup?: (serverKey: string) => void;
}

/** Lists tools as rows, with a header per server if the rows have headers. */
export function ToolList({ rows, query, label, open, onOpen, onToggleGroup }: ToolListProps) {
  const words = useMemo(() => queryWords(query), [query]);
  return (
    <VirtualList
      label={label}
      rows={rows}
      heightOf={rowHeight}
      keyOf={rowKey}
      className="scrolls"
      isGrouped={rows[0]?.kind === 'group'}
    >
      {(row, place) =>
        row.kind === 'group' ? (
          <GroupLine row={row} place={place} onToggle={() => onToggleGroup?.(row.group.serverKey)} />
        ) : (
          <ToolLine
            tool={row.tool}
            place={place}
            words={words}
            open={open?.name === row.tool.name && open.serverKey === row.tool.serverKey}
            onOpen={() => onOpen(row.tool)}
          />
        )
      }
    </VirtualList>
  );
}

function rowHeight(row: ToolRow): number {
  return row.kind === 'group' ? 38 : 46;
}

function rowKey(row: ToolRow): string {
  return row.kind === 'group' ? row.group.serverKey : `${row.tool.serverKey}:${row.tool.name}`;
}
