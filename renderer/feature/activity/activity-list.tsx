import { Button } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowUp } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import type { ActivityRow } from '../../../shared/model/activity.ts';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import { useListKeys } from '../../ui/use-list-keys.ts';
import { ActivityLine, FoldedLine } from './activity-line.tsx';
import type { ActivityLog, ActivityLogState } from './activity-log.ts';
import classes from './activity-view.module.css';
import { activityFolds } from './activity-words.ts';
import type { FoldLine } from './fold-rows.ts';
import { newestFirst } from './newest-first.ts';
import { useFolds } from './use-folds.ts';

interface ActivityListProps {
  readonly state: ActivityLogState;
  readonly log: ActivityLog;
  readonly selected: number | undefined;
  readonly onSelect: (id: number) => void;
}

/** Renders the visible rows. Scrolling down or selecting a row pauses following. */
export function ActivityList({ state, log, selected, onSelect }: ActivityListProps) {
  const { newRows: fresh, following, hasMore } = state;
  const rows = useMemo(() => newestFirst(state.rows, idOf), [state.rows]);
  const { lines, toggle } = useFolds(rows, activityFolds, idOf);
  const scroller = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 36,
    overscan: 12,
    getItemKey: (index) => keyOf(lines[index]) ?? index,
  });
  const onKeyDown = useListKeys({ count: lines.length, show: (index) => virtual.scrollToIndex(index) });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= lines.length - 20) log.loadMore();
  }, [hasMore, last, lines.length, log]);
  useEffect(() => {
    const element = scroller.current;
    // New rows must not push away what the user is reading.
    const pause = () => {
      if (element !== null && element.scrollTop > 0) log.follow(false);
    };
    element?.addEventListener('scroll', pause, { passive: true });
    return () => element?.removeEventListener('scroll', pause);
  }, [log]);
  const resume = () => {
    log.follow(true);
    virtual.scrollToOffset(0);
  };
  return (
    <div className={classes.frame}>
      <div className={classes.heads} aria-hidden>
        <span>Time</span>
        <span>What</span>
        <span>Who</span>
        <span>Outcome</span>
        <span className={classes.amount}>Duration</span>
        <span className={classes.amount}>Size</span>
      </div>
      <ScrollRegion label="Activity list" className={classes.scroller} ref={scroller}>
        <ol className={classes.list} style={{ height: virtual.getTotalSize() }} onKeyDown={onKeyDown}>
          {items.map(({ index, start, key }) => {
            const line = lines[index];
            if (line === undefined) return null;
            const position = { index, top: start };
            if (line.kind === 'fold')
              return <FoldedLine key={key} {...line} {...position} onToggle={() => toggle(line.id)} />;
            const { row, isPart } = line;
            return (
              <ActivityLine
                key={key}
                {...position}
                row={row}
                isPart={isPart}
                selected={row.id === selected}
                onSelect={() => {
                  log.follow(false);
                  onSelect(row.id);
                }}
              />
            );
          })}
        </ol>
      </ScrollRegion>
      {!following && fresh.length > 0 && (
        <Button
          className={classes.toTop ?? ''}
          leftSection={<ArrowUp size={13} aria-hidden />}
          onClick={resume}
        >
          {`${fresh.length.toLocaleString('en')} new`}
        </Button>
      )}
    </div>
  );
}

function idOf({ id }: ActivityRow): number {
  return id;
}

function keyOf(line: FoldLine<ActivityRow> | undefined): string | number | undefined {
  return line?.kind === 'fold' ? `fold ${line.id}` : line?.row.id;
}
