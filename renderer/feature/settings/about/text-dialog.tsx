import { Button, Skeleton } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import type { Problem } from '../../../../shared/error/problem.ts';
import { Dialog, DialogFoot } from '../../../ui/dialog/dialog.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import classes from './about.module.css';
import { TextLines } from './text-lines.tsx';

/** A text fetched when the dialog opens, or the problem. */
export type Fetched<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: Problem };

interface TextDialogProps<T> {
  readonly title: string;
  readonly note: string;
  readonly fetch: () => Promise<Fetched<T>>;
  /** Buttons for the fetched text. */
  readonly actions?: (value: T) => ReactNode;
  readonly problem?: Problem | undefined;
  readonly onClose: () => void;
}

/** Shows a long text to be read before anything is done with it. */
export function TextDialog<T extends { readonly text: string }>(props: TextDialogProps<T>) {
  const { title, note, fetch, actions, problem, onClose } = props;
  const [fetched, setFetched] = useState<Fetched<T>>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: fetched once, so that the text on screen does not change
  useEffect(() => {
    let wanted = true;
    void fetch().then((answer) => {
      if (wanted) setFetched(answer);
    });
    return () => {
      wanted = false;
    };
  }, []);
  return (
    <Dialog title={title} onClose={onClose} size={900}>
      <div className={classes.body}>
        <p className={classes.note}>{note}</p>
        {fetched === undefined && (
          <div className={classes.wait} role="status" aria-label="Loading">
            <Skeleton height="100%" radius={8} />
          </div>
        )}
        {fetched?.ok === true && <TextLines text={fetched.value.text} label={title} />}
        {fetched?.ok === false && <ProblemCard problem={fetched.problem} />}
        {problem !== undefined && <ProblemCard problem={problem} />}
      </div>
      <DialogFoot>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        {fetched?.ok === true && actions?.(fetched.value)}
      </DialogFoot>
    </Dialog>
  );
}
