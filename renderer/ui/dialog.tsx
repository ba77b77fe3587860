import { ActionIcon, Modal } from '@mantine/core';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import classes from './dialog.module.css';
import { keepFocus } from './keep-focus.ts';

interface DialogProps {
  /** Also its name to screen readers. */
  readonly title: string;
  /** Absent for one that goes by itself: it has no way out then. */
  readonly onClose?: () => void;
  /** Width in pixels. */
  readonly size: number;
  /** Controls beside the title. */
  readonly head?: ReactNode;
  readonly classNames?: { readonly content?: string | undefined; readonly body?: string | undefined };
  readonly children: ReactNode;
}

/** An open dialog: its title, a way out, and what it is about. */
export function Dialog({ title, onClose, size, head, classNames = {}, children }: DialogProps) {
  return (
    <Modal
      opened
      onClose={onClose ?? stay}
      closeOnEscape={onClose !== undefined}
      withCloseButton={false}
      size={size}
      // The title names it too, but only once its content has been mounted.
      attributes={{ content: { 'aria-label': title } }}
      classNames={{ content: `${classes.content} ${classNames.content ?? ''}`, body: classNames.body ?? '' }}
    >
      <header ref={keepFocus} className={classes.head}>
        <Modal.Title className={classes.title ?? ''}>{title}</Modal.Title>
        {head}
        {onClose !== undefined && (
          <ActionIcon onClick={onClose} aria-label="Close">
            <X size={16} aria-hidden />
          </ActionIcon>
        )}
      </header>
      {children}
    </Modal>
  );
}

function stay(): void {}

/** The buttons at the end of a dialog, the main one last. */
export function DialogFoot({ note, children }: { note?: ReactNode; children: ReactNode }) {
  return (
    <footer className={classes.foot}>
      <div className={classes.note}>{note}</div>
      {children}
    </footer>
  );
}
