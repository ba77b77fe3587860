import type { SearchHit } from '../../../../shared/model/search.ts';
import type { ToolRef } from '../../../store/view-store.ts';
import { VirtualList } from '../../../ui/virtual-list.tsx';
import classes from './found.module.css';
import { FoundLine } from './found-line.tsx';

interface FoundListProps {
  readonly hits: readonly SearchHit[];
  readonly isMeaningUsed: boolean;
  readonly open: ToolRef | undefined;
  readonly onOpen: (hit: SearchHit) => void;
}

/** What was found, the best first, whatever servers it is of. */
export function FoundList({ hits, isMeaningUsed, open, onOpen }: FoundListProps) {
  return (
    <VirtualList
      label="Found"
      rows={hits}
      heightOf={rowHeight}
      overscan={4}
      className={classes.scroller}
      listClassName={classes.rows}
    >
      {(hit, place) => (
        <FoundLine
          hit={hit}
          place={place}
          isMeaningUsed={isMeaningUsed}
          open={hit.kind === 'tool' && open?.name === hit.name && open.serverKey === hit.serverKey}
          onOpen={onOpen}
        />
      )}
    </VirtualList>
  );
}

function rowHeight(): number {
  return 52;
}
