import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import { ScrollRegion } from '../../../ui/list/scroll-region.tsx';
import classes from './about.module.css';

/** Shows a long text; only visible lines are rendered. */
export function TextLines({ text, label }: { text: string; label: string }) {
  const scroller = useRef<HTMLElement>(null);
  const lines = useMemo(() => text.split('\n'), [text]);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 18,
    overscan: 30,
  });
  return (
    <ScrollRegion label={label} className={classes.text} ref={scroller}>
      <div className={classes.lines} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, key }) => (
          <div
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            data-heading={lines[index]?.startsWith('== ')}
            className={classes.line}
            style={{ transform: `translateY(${start}px)` }}
          >
            {lines[index]}
          </div>
        ))}
      </div>
    </ScrollRegion>
  );
}
