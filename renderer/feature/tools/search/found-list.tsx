import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import type { SearchHit } from '../../../../shared/model/search.ts';
import type { ToolRef } from '../../../store/view-store.ts';
import { useListKeys } from '../../../ui/use-list-keys.ts';
import classes from './found.module.css';
import { FoundLine } from './found-line.tsx';

interface FoundListProps {
  readonly hits: readonly SearchHit[];
  readonly isMeaningUsed: boolean;
  readonly open: ToolRef | undefined;
  readonly onOpen: (hit: SearchHit) => void;
}

/** What was found, the best first, whatever servers it is of. Only what is on screen is drawn. */
export function FoundList({ hits, isMeaningUsed, open, onOpen }: FoundListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: hits.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 52,
    overscan: 4,
  });
  const onKeyDown = useListKeys({ count: hits.length, show: (index) => virtual.scrollToIndex(index) });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move the focus among the buttons inside
    <div ref={scroller} className={classes.scroller} onKeyDown={onKeyDown}>
      <ul className={classes.rows} style={{ height: virtual.getTotalSize() }} aria-label="Found">
        {virtual.getVirtualItems().map(({ index, start }) => {
          const hit = hits[index];
          return (
            hit && (
              // By place: other hits are drawn into the lines that are there, which costs less than new ones.
              <FoundLine
                key={index}
                hit={hit}
                place={{ index, top: start, total: hits.length }}
                isMeaningUsed={isMeaningUsed}
                open={hit.kind === 'tool' && open?.name === hit.name && open.serverKey === hit.serverKey}
                onOpen={onOpen}
              />
            )
          );
        })}
      </ul>
    </div>
  );
}
