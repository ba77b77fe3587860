import { Button } from '@mantine/core';
import { memo, useCallback, useMemo, useState } from 'react';
import type { SearchHit } from '../../../shared/model/search.ts';
import { openTool } from '../../command/navigate.ts';
import { openHit } from '../../command/search-actions.ts';
import { formatCount } from '../../lib/format-amount.ts';
import { type IndexedGroup, toolRows } from '../../lib/tool-rows.ts';
import { useModel, useView } from '../../store/model-context.tsx';
import { useFinder } from '../../store/use-finder.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { SplitView } from '../../ui/split-view.tsx';
import { ToolList } from '../../ui/tool-list.tsx';
import type { Filters } from './search/found-bar.tsx';
import { SearchResults } from './search/found-view.tsx';
import { ToolsHeader } from './tools-header.tsx';
import { useOpenTool } from './use-open-tool.tsx';

/** Max search results shown. */
const maxShown = 200;

interface ByServerProps {
  readonly index: readonly IndexedGroup[];
  readonly total: number;
}

/** Lists all tools grouped by server; a query searches everything that servers offer. */
export function ByServer({ index, total }: ByServerProps) {
  const model = useModel();
  const [query, setQuery] = useState('');
  const [filters, setFilters] = useState<Filters>({});
  const hasQuery = query.trim() !== '';
  const { state, again } = useFinder(hasQuery ? { query, ...filters, limit: maxShown } : undefined);
  // The list stays until results arrive, so that a key press never waits for them.
  const isSearching = hasQuery && (state.kind === 'found' || state.kind === 'failed');
  const servers = index.filter((group) => group.tools.length > 0).map((group) => group.serverKey);
  const onOpen = useCallback((hit: SearchHit) => openHit(model, hit), [model]);
  const onEmpty = useCallback(() => setQuery(''), []);
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set());
  return (
    <>
      <ToolsHeader
        page="servers"
        note={
          hasQuery && !isSearching
            ? 'Searching…'
            : `${formatCount(total, 'tool')} from ${formatCount(servers.length, 'server')}`
        }
      >
        <SearchField
          label="Search name, description or server"
          width={250}
          value={query}
          onChange={setQuery}
          onEnterList={focusFirst}
        />
        <Button
          variant="default"
          onClick={() => setCollapsed(collapsed.size === servers.length ? new Set() : new Set(servers))}
          disabled={hasQuery}
        >
          {collapsed.size === servers.length ? 'Expand all' : 'Collapse all'}
        </Button>
      </ToolsHeader>
      {isSearching ? (
        <SearchResults
          state={state}
          filters={filters}
          onFilter={setFilters}
          onOpen={onOpen}
          onAgain={again}
          onEmpty={onEmpty}
        />
      ) : (
        <AllTools index={index} collapsed={collapsed} onCollapse={setCollapsed} />
      )}
    </>
  );
}

interface AllToolsProps {
  readonly index: readonly IndexedGroup[];
  readonly collapsed: ReadonlySet<string>;
  readonly onCollapse: (collapsed: ReadonlySet<string>) => void;
}

/** Memoized so that typing does not re-render it. */
const AllTools = memo(function EveryTool({ index, collapsed, onCollapse }: AllToolsProps) {
  const page = useOpenTool();
  const model = useModel();
  const open = useView(({ place }) => place.tool);
  const rows = useMemo(() => toolRows(index, '', collapsed), [index, collapsed]);
  return (
    <SplitView
      fixed="detail"
      list={
        <ToolList
          rows={rows}
          query=""
          label="Tools"
          open={open}
          onOpen={(tool) => openTool(model, { serverKey: tool.serverKey, name: tool.name })}
          onToggleGroup={(key) => onCollapse(toggled(collapsed, key))}
        />
      }
      {...page}
    />
  );
});

function toggled(set: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(key)) next.add(key);
  return next;
}

function focusFirst(): void {
  document.querySelector<HTMLElement>('main [data-row]')?.focus();
}
