import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { CircleCheck, OctagonX, Undo2 } from 'lucide-react';
import type { Problem } from '../../shared/error/problem.ts';
import { copyText } from '../command/app/app-actions.ts';
import { problemText } from '../lib/text/problem-text.ts';
import type { Model, Notifier } from '../store/model.ts';
import classes from './toast.module.css';

/** Shows notifications in the corner of the window. */
export function toastNotifier(model: () => Model): Notifier {
  return {
    done: (message) =>
      show({ message, icon: <CircleCheck size={16} color="var(--good)" />, autoClose: 4000 }),
    problem: (problem) =>
      show({
        message: (
          <ProblemToast problem={problem} onCopy={() => void copyText(model(), problemText(problem))} />
        ),
        icon: <OctagonX size={16} color="var(--bad)" />,
        autoClose: 15_000,
      }),
    undoable: (id, message, undo) =>
      show({
        id,
        message: <UndoToast message={message} onUndo={undo} />,
        icon: <Undo2 size={15} color="var(--text-dim)" />,
        autoClose: 10_000,
        withAutoCloseProgress: true,
      }),
    close: (id) => void notifications.hide(id),
  };
}

function show(toast: Parameters<typeof notifications.show>[0]): void {
  notifications.show({
    color: 'transparent',
    radius: 10,
    withBorder: true,
    closeButtonProps: { 'aria-label': 'Close this message' },
    classNames: { root: classes.toast ?? '', icon: classes.icon ?? '', description: classes.text ?? '' },
    ...toast,
  });
}

function ProblemToast({ problem, onCopy }: { problem: Problem; onCopy: () => void }) {
  return (
    <div>
      <p className="strong breaks">{problem.sentence}</p>
      <p className="soft breaks">{problem.fix}</p>
      <div className={`row ${classes.row}`}>
        <code>{problem.code}</code>
        <Button variant="subtle" size="compact-xs" onClick={onCopy}>
          Copy details
        </Button>
      </div>
    </div>
  );
}

function UndoToast({ message, onUndo }: { message: string; onUndo: () => void }) {
  return (
    <div className={`row ${classes.row}`}>
      <span className="min-0 breaks">{message}</span>
      <Button variant="light" size="compact-xs" flex="none" onClick={onUndo}>
        Undo
      </Button>
    </div>
  );
}
