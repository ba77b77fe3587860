import { Button } from '@mantine/core';
import { SearchX } from 'lucide-react';
import { memo, useMemo } from 'react';
import type { SearchHit, SearchResult } from '../../../../shared/model/tool/search.ts';
import { openSkills } from '../../../command/tool/skill-actions.ts';
import { formatCount } from '../../../lib/text/format-amount.ts';
import { type SortedHits, sortHits } from '../../../lib/text/named-hits.ts';
import type { FindState } from '../../../store/finder.ts';
import { useModel, useView } from '../../../store/model-context.tsx';
import type { ToolRef } from '../../../store/view-store.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { SplitView } from '../../../ui/list/split-view.tsx';
import { VirtualList } from '../../../ui/list/virtual-list.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { useOpenTool } from '../use-open-tool.tsx';
import { type Filters, SearchResultBar } from './search-result-bar.tsx';
import { SearchResultLine } from './search-result-line.tsx';
import classes from './search-results.module.css';

interface SearchResultsProps {
  readonly state: Extract<FindState, { kind: 'found' | 'failed' }>;
  readonly filters: Filters;
  readonly onFilter: (filters: Filters) => void;
  readonly onOpen: (hit: SearchHit) => void;
  readonly onAgain: () => void;
  readonly onEmpty: () => void;
}

/** Shows the results of a search, or its problem. */
export const SearchResults = memo(function FoundOrFailed(props: SearchResultsProps) {
  const { state, onAgain } = props;
  if (state.kind === 'failed') {
    return (
      <div className={classes.failed}>
        <ProblemCard
          problem={state.problem}
          about="search"
          actions={
            <Button variant="default" onClick={onAgain}>
              Search again
            </Button>
          }
        />
      </div>
    );
  }
  return <FoundResult {...props} state={state} />;
});

function FoundResult(props: SearchResultsProps & { readonly state: Extract<FindState, { kind: 'found' }> }) {
  const { filters, onFilter } = props;
  const { result, asked } = props.state;
  const sorted = useMemo(() => sortHits(result.hits, asked.query), [result, asked]);
  return (
    <>
      <SearchResultBar result={result} named={sorted.named} filters={filters} onFilter={onFilter} />
      {result.total > 0 ? (
        <Found result={result} sorted={sorted} onOpen={props.onOpen} />
      ) : (
        <NoResults {...props} result={result} query={asked.query} />
      )}
    </>
  );
}

interface FoundProps {
  readonly result: SearchResult;
  readonly sorted: SortedHits;
  readonly onOpen: (hit: SearchHit) => void;
}

function Found({ result, sorted, onOpen }: FoundProps) {
  const page = useOpenTool();
  const open = useView(({ place }) => place.tool);
  const list = (
    <SearchResultList sorted={sorted} isSemantic={result.meaning === 'used'} open={open} onOpen={onOpen} />
  );
  return <SplitView fixed="detail" list={list} {...page} />;
}

type NoResultsProps = SearchResultsProps & { readonly result: SearchResult; readonly query: string };

/** Explains why nothing was found and suggests what to try. */
function NoResults({ result, query, filters, onFilter, onEmpty }: NoResultsProps) {
  const model = useModel();
  const isNarrowed = Object.keys(filters).length > 0;
  const { tools, servers } = result.searched;
  const message = `No match for “${shortened(query)}” in ${formatCount(tools, 'tool')} from ${formatCount(servers, 'server')}.`;
  return (
    <EmptyState
      icon={SearchX}
      title="Nothing found"
      text={
        isNarrowed
          ? `${message} Your filters limit the search.`
          : `${message} Try other words, or a server name.`
      }
    >
      {isNarrowed && <Button onClick={() => onFilter({})}>Search everything</Button>}
      <Button variant="default" onClick={() => openSkills(model)}>
        Browse by skill
      </Button>
      <Button variant="default" onClick={onEmpty}>
        Show all tools
      </Button>
    </EmptyState>
  );
}

function shortened(query: string): string {
  return query.length > 60 ? `${query.slice(0, 60)}…` : query;
}

interface SearchResultListProps {
  readonly sorted: SortedHits;
  readonly isSemantic: boolean;
  readonly open: ToolRef | undefined;
  readonly onOpen: (hit: SearchHit) => void;
}

interface SearchResultRow {
  readonly hit: SearchHit;
  /** Heading above the first result not found by name. */
  readonly heading?: string;
}

/** Lists results found by name first, then related ones, best first across servers. */
function SearchResultList({ sorted, isSemantic, open, onOpen }: SearchResultListProps) {
  const rows = useMemo(() => rowsOf(sorted), [sorted]);
  return (
    <VirtualList label="Search results" rows={rows} heightOf={rowHeight} overscan={4} className="scrolls">
      {({ hit, heading }, place) => (
        <SearchResultLine
          hit={hit}
          heading={heading}
          position={place}
          isSemantic={isSemantic}
          open={hit.kind === 'tool' && open?.name === hit.name && open.serverKey === hit.serverKey}
          onOpen={onOpen}
        />
      )}
    </VirtualList>
  );
}

function rowsOf({ named, related }: SortedHits): readonly SearchResultRow[] {
  return [
    ...named.map((hit) => ({ hit })),
    ...related.map((hit, index) => (index === 0 ? { hit, heading: 'Related' } : { hit })),
  ];
}

function rowHeight({ heading }: SearchResultRow): number {
  return heading === undefined ? 52 : 82;
}
