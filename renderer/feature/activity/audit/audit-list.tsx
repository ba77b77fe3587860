import { Button } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowUp } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import type { AuditRow } from '../../../../shared/model/audit.ts';
import { ScrollRegion } from '../../../ui/scroll-region.tsx';
import { useListKeys } from '../../../ui/use-list-keys.ts';
import classes from '../activity-view.module.css';
import type { FoldLine } from '../fold-rows.ts';
import { newestFirst } from '../newest-first.ts';
import { useFolds } from '../use-folds.ts';
import own from './audit.module.css';
import { AuditLine, FoldedAuditLine } from './audit-line.tsx';
import type { AuditLogState, AuditLogView } from './audit-log.ts';
import { auditFolds } from './audit-words.ts';

interface AuditListProps {
  readonly state: AuditLogState;
  readonly log: AuditLogView;
  readonly selected: number | undefined;
  readonly onSelect: (seq: number) => void;
}

/** Renders the visible rows. Scrolling down or selecting a row holds back new ones. */
export function AuditList({ state, log, selected, onSelect }: AuditListProps) {
  const { hasMore, following, hasNewRows: hasNews } = state;
  const rows = useMemo(() => newestFirst(state.rows, seqOf), [state.rows]);
  const { lines, toggle } = useFolds(rows, auditFolds, seqOf);
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
    const pause = () => log.follow(element?.scrollTop === 0);
    element?.addEventListener('scroll', pause, { passive: true });
    return () => element?.removeEventListener('scroll', pause);
  }, [log]);
  const resume = () => {
    log.follow(true);
    virtual.scrollToOffset(0);
  };
  return (
    <div className={classes.frame}>
      <div className={own.heads} aria-hidden>
        <span>Time</span>
        <span>Who</span>
        <span>What</span>
        <span>Server</span>
        <span>Tool</span>
        <span>Outcome</span>
      </div>
      <ScrollRegion label="Audit log" className={classes.scroller} ref={scroller}>
        <ol className={classes.list} style={{ height: virtual.getTotalSize() }} onKeyDown={onKeyDown}>
          {items.map(({ index, start, key }) => {
            const line = lines[index];
            if (line === undefined) return null;
            const position = { index, top: start };
            if (line.kind === 'fold')
              return <FoldedAuditLine key={key} {...line} {...position} onToggle={() => toggle(line.id)} />;
            const { row, isPart } = line;
            return (
              <AuditLine
                key={key}
                {...position}
                row={row}
                isPart={isPart}
                selected={row.seq === selected}
                onSelect={() => {
                  log.follow(false);
                  onSelect(row.seq);
                }}
              />
            );
          })}
        </ol>
      </ScrollRegion>
      {!following && hasNews && (
        <Button
          className={classes.toTop ?? ''}
          leftSection={<ArrowUp size={13} aria-hidden />}
          onClick={resume}
        >
          Show new entries
        </Button>
      )}
    </div>
  );
}

function seqOf({ seq }: AuditRow): number {
  return seq;
}

function keyOf(line: FoldLine<AuditRow> | undefined): string | number | undefined {
  return line?.kind === 'fold' ? `fold ${line.id}` : line?.row.seq;
}
