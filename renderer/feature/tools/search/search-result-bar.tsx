import { Button, Select } from '@mantine/core';
import { memo, useMemo } from 'react';
import { useStore } from 'zustand/react';
import type { SearchHit, SearchQuery, SearchResult } from '../../../../shared/model/tool/search.ts';
import { openSettings } from '../../../command/navigate.ts';
import { toolsToTurn, turnTools } from '../../../command/server/bulk-actions.ts';
import { formatCount } from '../../../lib/text/format-amount.ts';
import { useModel, useServers } from '../../../store/model-context.tsx';
import classes from './search-results.module.css';

/** Filters of a search. */
export type Filters = Pick<SearchQuery, 'kinds' | 'risks' | 'servers'>;

interface SearchResultBarProps {
  readonly result: SearchResult;
  /** Hits whose name matches the query; only these are turned on or off together. */
  readonly named: readonly SearchHit[];
  readonly filters: Filters;
  readonly onFilter: (filters: Filters) => void;
}

/** Shows the number of results, filters, and buttons that turn all tools found by name on or off. */
export function SearchResultBar({ result, named, filters, onFilter }: SearchResultBarProps) {
  const { hits, total, meaning } = result;
  return (
    <div className={`row ${classes.bar}`}>
      <p role="status" className={classes.count}>
        {formatCount(named.length || total, 'match', 'matches')}
        {named.length > 0 && total > named.length && `, ${total - named.length} related`}
        {total > hits.length && `, showing the best ${hits.length}`}
      </p>
      {meaning === 'failed' && <SemanticSearchFailed />}
      <FilterChoices filters={filters} onFilter={onFilter} />
      <TurnNamed hits={named} />
    </div>
  );
}

/** Memoized, since selects take longer to render than all results. */
const FilterChoices = memo(function Choices({
  filters,
  onFilter,
}: Pick<SearchResultBarProps, 'filters' | 'onFilter'>) {
  const servers = useServers(({ order }) => order);
  const choose = <K extends keyof Filters>(key: K, value: string | null) => {
    const { [key]: _before, ...others } = filters;
    onFilter(value === null ? others : { ...others, [key]: [value] });
  };
  const common = { size: 'xs', clearable: true, comboboxProps } as const;
  return (
    <>
      <Select
        {...common}
        w={112}
        aria-label="Kind"
        placeholder="Kind"
        value={filters.kinds?.[0] ?? null}
        onChange={(value) => choose('kinds', value)}
        data={kinds}
      />
      <Select
        {...common}
        w={122}
        aria-label="Risk"
        placeholder="Risk"
        value={filters.risks?.[0] ?? null}
        onChange={(value) => choose('risks', value)}
        data={risks}
      />
      <Select
        {...common}
        w={140}
        searchable
        aria-label="Server"
        placeholder="Server"
        value={filters.servers?.[0] ?? null}
        onChange={(value) => choose('servers', value)}
        data={servers}
      />
    </>
  );
});

// Dropdowns are rendered only when opened.
const comboboxProps = { withinPortal: false, keepMounted: false };

const kinds = [
  { value: 'tool', label: 'Tools' },
  { value: 'prompt', label: 'Prompts' },
  { value: 'resource', label: 'Resources' },
];

const risks = [
  { value: 'read-only', label: 'Read-only' },
  { value: 'writes', label: 'Writes' },
  { value: 'destructive', label: 'Destructive' },
  { value: 'unstated', label: 'Not stated' },
];

/** Offers to turn tools on and off; counts only tools that would change. */
function TurnNamed({ hits }: { hits: readonly SearchHit[] }) {
  const model = useModel();
  const mirrored = useStore(model.mirrors.tools, (tools) => tools);
  const pending = useStore(model.pendingToolSwitches, (state) => state);
  const tools = useMemo(
    () =>
      hits
        .filter(({ kind }) => kind === 'tool')
        .flatMap(({ serverKey, name }) => mirrored[serverKey]?.find((tool) => tool.name === name) ?? []),
    [hits, mirrored],
  );
  const choices = [
    { on: true, word: 'on' },
    { on: false, word: 'off' },
  ].map((choice) => ({ ...choice, count: toolsToTurn(pending, tools, choice.on).length }));
  return choices
    .filter(({ count }) => count > 0)
    .map(({ on, word, count }) => (
      <Button key={word} variant="subtle" size="compact-xs" onClick={() => turnTools(model, tools, on)}>
        Turn {word} {formatCount(count, 'tool')}
      </Button>
    ));
}

function SemanticSearchFailed() {
  const model = useModel();
  return (
    <>
      <span>Words only: the search model is not responding.</span>
      <Button variant="subtle" size="compact-xs" onClick={() => openSettings(model, 'search')}>
        Search settings
      </Button>
    </>
  );
}
