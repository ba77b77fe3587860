import { ActionIcon, Modal } from '@mantine/core';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import classes from './dialog-head.module.css';

interface DialogHeadProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** The top of a dialog: its title, which also names it to screen readers, and a way out. */
export function DialogHead({ title, onClose, children }: DialogHeadProps) {
  return (
    <header className={classes.head}>
      <Modal.Title className={classes.title ?? ''}>{title}</Modal.Title>
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
