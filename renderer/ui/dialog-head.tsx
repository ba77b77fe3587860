import { ActionIcon } from '@mantine/core';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import classes from './dialog-head.module.css';

interface DialogHeadProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** The top of a dialog: title and a way out. */
export function DialogHead({ title, onClose, children }: DialogHeadProps) {
  return (
    <header className={classes.head}>
      <h2 className={classes.title}>{title}</h2>
      {children}
      <ActionIcon onClick={onClose} aria-label="Close">
        <X size={16} aria-hidden />
      </ActionIcon>
    </header>
  );
}

/** The buttons at the end of a dialog, the main one last. */
export function DialogFoot({ note, children }: { note?: ReactNode; children: ReactNode }) {
  return (
    <footer className={classes.foot}>
      <div className={classes.note}>{note}</div>
      {children}
    </footer>
  );
}
