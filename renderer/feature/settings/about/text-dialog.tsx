import { Button, Skeleton } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useMemo, useRef } from 'react';
import type { Problem } from '../../../../shared/error/problem.ts';
import { type Answer, useAnswer } from '../../../store/hook/use-engine.ts';
import { Dialog, DialogFoot } from '../../../ui/dialog/dialog.tsx';
import { ScrollRegion } from '../../../ui/list/scroll-region.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import classes from './about.module.css';

interface TextDialogProps<T> {
  readonly title: string;
  readonly note: string;
  /** Called once, when the dialog opens. */
  readonly fetch: () => Promise<Answer<T>>;
  /** Buttons for the fetched text. */
  readonly actions?: (value: T) => ReactNode;
  readonly problem?: Problem | undefined;
  readonly onClose: () => void;
}

/** Shows a long text to be read before anything is done with it. */
export function TextDialog<T extends { readonly text: string }>(props: TextDialogProps<T>) {
  const { title, note, fetch, actions, problem, onClose } = props;
  const [state] = useAnswer(fetch, []);
  return (
    <Dialog title={title} onClose={onClose} size={900}>
      <div className={classes.body}>
        <p className="dim small">{note}</p>
        {state.kind === 'loading' && (
          <div className={classes.wait} role="status" aria-label="Loading">
            <Skeleton height="100%" radius={8} />
          </div>
        )}
        {state.kind === 'known' && <TextLines text={state.value.text} label={title} />}
        {state.kind === 'failed' && <ProblemCard problem={state.problem} />}
        {problem !== undefined && <ProblemCard problem={problem} />}
      </div>
      <DialogFoot>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        {state.kind === 'known' && actions?.(state.value)}
      </DialogFoot>
    </Dialog>
  );
}

/** Shows a long text; only visible lines are rendered. */
function TextLines({ text, label }: { text: string; label: string }) {
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
