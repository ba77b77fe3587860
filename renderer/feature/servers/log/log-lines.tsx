import { Button } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ScrollText } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { LogLine } from '../../../../shared/model/server/server.ts';
import { formatClock } from '../../../lib/text/format-time.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ScrollRegion } from '../../../ui/list/scroll-region.tsx';
import { MarkedText } from '../../../ui/text/marked-text.tsx';
import classes from './log-tab.module.css';
import { streamLabels, streamNames } from './stream-filter.tsx';

interface LogLinesProps {
  readonly lines: readonly LogLine[];
  readonly loading: boolean;
  readonly query: string;
  /** Index of the current search match. */
  readonly current: number | undefined;
  readonly following: boolean;
  readonly onFollow: (following: boolean) => void;
  readonly wrap: boolean;
}

/** Renders the visible lines. Scrolling up stops following. */
export function LogLines({ lines, loading, query, current, following, onFollow, wrap }: LogLinesProps) {
  const scroller = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 20,
    overscan: 20,
    getItemKey: (index) => lines[index]?.seq ?? index,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: new lines and wrapping move the end
  useEffect(() => {
    if (following && lines.length > 0) virtual.scrollToIndex(lines.length - 1, { align: 'end' });
  }, [following, lines, wrap]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls only when the match changes
  useEffect(() => {
    if (current !== undefined) virtual.scrollToIndex(current, { align: 'center' });
  }, [current]);
  if (lines.length === 0 && !loading) return <NoLines />;
  const words = query.trim() === '' ? [] : [query.trim()];
  return (
    <div className={classes.frame}>
      <ScrollRegion
        label="Log lines"
        className={`grow ${classes.scroller}`}
        ref={scroller}
        onWheel={(event) => event.deltaY < 0 && onFollow(false)}
      >
        <div className="list-rows" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start, key }) => {
            const line = lines[index];
            return (
              line && (
                <div
                  key={key}
                  ref={virtual.measureElement}
                  data-index={index}
                  data-current={index === current}
                  data-wrap={wrap}
                  data-stream={line.stream}
                  className={classes.line}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <LineText line={line} words={words} />
                </div>
              )
            );
          })}
        </div>
      </ScrollRegion>
      {!following && (
        <Button
          className={classes.toEnd ?? ''}
          leftSection={<ArrowDown size={13} aria-hidden />}
          onClick={() => onFollow(true)}
        >
          Follow
        </Button>
      )}
    </div>
  );
}

function LineText({ line, words }: { line: LogLine; words: readonly string[] }) {
  return (
    <>
      <span className={classes.clock}>{formatClock(line.at)}</span>
      <span className={classes.stream} title={streamNames[line.stream]}>
        {streamLabels[line.stream]}
      </span>
      <span className={classes.text}>
        <MarkedText text={line.text} words={words} />
      </span>
    </>
  );
}

function NoLines() {
  return (
    <EmptyState
      icon={ScrollText}
      title="Nothing logged"
      text="The server’s stderr, stray stdout lines and Patchbay’s own messages about it appear here."
    />
  );
}
