import { useMemo } from 'react';
import type { SearchHit } from '../../../../shared/model/tool/search.ts';
import type { SortedHits } from '../../../lib/text/named-hits.ts';
import type { ToolRef } from '../../../store/view-store.ts';
import { VirtualList } from '../../../ui/list/virtual-list.tsx';
import { SearchResultLine } from './search-result-line.tsx';

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
export function SearchResultList({ sorted, isSemantic, open, onOpen }: SearchResultListProps) {
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
