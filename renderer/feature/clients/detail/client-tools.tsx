import { Button, SegmentedControl } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { PackageOpen } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import type {
  ClientDetail,
  ClientTool,
  ClientWeight,
} from '../../../../shared/model/client/client-detail.ts';
import { pruneTools } from '../../../command/client/client-actions.ts';
import { formatCount } from '../../../lib/text/format-amount.ts';
import { queryWords } from '../../../lib/text/match-words.ts';
import { type EngineState, knownValue } from '../../../store/hook/use-engine.ts';
import { useModel } from '../../../store/model-context.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { GridPart } from '../../../ui/list/grid-part.tsx';
import { SearchField } from '../../../ui/list/search-field.tsx';
import { arrangeTools, type ToolFilter } from './arrange-tools.ts';
import classes from './client-detail.module.css';

interface ClientToolsProps {
  readonly detail: ClientDetail;
  readonly weight: EngineState<ClientWeight>;
}

/** Lists the tools as this client sees them, heaviest first. Unused ones can be turned off here. */
export function ClientTools({ detail, weight }: ClientToolsProps) {
  const model = useModel();
  const [filter, setFilter] = useState<ToolFilter>('all');
  const [query, setQuery] = useState('');
  const byName = knownValue(weight)?.byName;
  const words = useMemo(() => queryWords(query), [query]);
  const shown = useMemo(
    () => arrangeTools(detail.tools, byName, filter, words),
    [detail.tools, byName, filter, words],
  );
  const unused = detail.tools.filter(({ calls }) => calls === 0).length;
  return (
    <div className="pane">
      <div className={`row ${classes.bar}`}>
        <SearchField label="Search tools" value={query} onChange={setQuery} />
        <SegmentedControl
          size="xs"
          aria-label="Which tools"
          value={filter}
          onChange={setFilter}
          data={[
            { value: 'all', label: `All ${detail.tools.length}` },
            { value: 'unused', label: `Never used ${unused}` },
          ]}
        />
        {filter === 'unused' && shown.length > 0 && (
          <Button
            variant="default"
            className="end"
            title="Removes them from every client’s list"
            onClick={() => pruneTools(model, shown)}
          >
            Turn off {formatCount(shown.length, 'tool')}
          </Button>
        )}
      </div>
      {shown.length === 0 ? (
        <EmptyState icon={PackageOpen} title="No tools" text="No tool in its list matches." />
      ) : (
        <ToolTable tools={shown} byName={byName} longestName={detail.longestName} />
      )}
    </div>
  );
}

interface ToolTableProps {
  readonly tools: readonly ClientTool[];
  readonly byName: Readonly<Record<string, number>> | undefined;
  readonly longestName: number | undefined;
}

function ToolTable({ tools, byName, longestName }: ToolTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: tools.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 34,
    overscan: 12,
    getItemKey: (index) => tools[index]?.wireName ?? index,
  });
  return (
    <GridPart
      role="table"
      className={`pane ${classes.table}`}
      aria-label="Tools"
      aria-rowcount={tools.length + 1}
    >
      <GridPart role="rowgroup">
        <GridPart role="row" className={`${classes.row} ${classes.headRow}`}>
          <GridPart role="columnheader">Name it sees</GridPart>
          <GridPart role="columnheader">Characters</GridPart>
          <GridPart role="columnheader">Est. tokens</GridPart>
          <GridPart role="columnheader">Calls</GridPart>
        </GridPart>
      </GridPart>
      <GridPart role="rowgroup" ref={scroller} className={`scrolls ${classes.rows}`} tabIndex={0}>
        <div className="list-rows" style={{ height: virtual.getTotalSize() }} role="presentation">
          {virtual.getVirtualItems().map(({ index, start, key }) => {
            const tool = tools[index];
            if (tool === undefined) return null;
            const { wireName, calls } = tool;
            const isLong = longestName !== undefined && wireName.length > longestName;
            return (
              <GridPart
                key={key}
                role="row"
                aria-rowindex={index + 2}
                className={classes.row}
                style={{ transform: `translateY(${start}px)` }}
              >
                <GridPart role="cell">
                  <code title={wireName}>{wireName}</code>
                </GridPart>
                <GridPart role="cell" data-bad={isLong}>
                  {wireName.length}
                </GridPart>
                <GridPart role="cell">{byName?.[wireName]?.toLocaleString('en') ?? '…'}</GridPart>
                <GridPart role="cell" data-quiet={calls === 0}>
                  {calls === 0 ? 'never' : calls.toLocaleString('en')}
                </GridPart>
              </GridPart>
            );
          })}
        </div>
      </GridPart>
    </GridPart>
  );
}
