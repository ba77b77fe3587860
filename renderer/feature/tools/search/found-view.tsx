import { Button } from '@mantine/core';
import { SearchX } from 'lucide-react';
import { memo, useMemo } from 'react';
import type { SearchHit, SearchResult } from '../../../../shared/model/search.ts';
import { openSkills } from '../../../command/skill-actions.ts';
import { formatCount } from '../../../lib/format-amount.ts';
import { type SortedHits, sortHits } from '../../../lib/named-hits.ts';
import type { FindState } from '../../../store/finder.ts';
import { useModel, useView } from '../../../store/model-context.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { SplitView } from '../../../ui/split-view.tsx';
import { useOpenTool } from '../use-open-tool.tsx';
import classes from './found.module.css';
import { type Filters, SearchResultBar } from './found-bar.tsx';
import { SearchResultList } from './found-list.tsx';

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
