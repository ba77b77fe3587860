import { ActionIcon, Modal } from '@mantine/core';
import { X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import classes from './dialog.module.css';
import { isFront } from './is-front.ts';
import { keepFocus } from './keep-focus.ts';
import { useFocusBack } from './use-focus-back.ts';

interface DialogProps {
  /** Also its name to screen readers. */
  readonly title: string;
  /** Absent for one that goes by itself: it has no way out then. */
  readonly onClose?: () => void;
  /** Width in pixels. */
  readonly size: number;
  /** Controls beside the title. */
  readonly head?: ReactNode;
  /** Comes in front of all that may be open, also of a menu. */
  readonly front?: boolean;
  readonly classNames?: { readonly content?: string | undefined; readonly body?: string | undefined };
  readonly children: ReactNode;
}

/** Above menus and below messages. */
const frontLevel = 350;

/** An open dialog: its title, a way out, and what it is about. Once it is gone, the keyboard is where it was before. */
export function Dialog(props: DialogProps) {
  const { title, onClose, size, head, front = false, classNames = {}, children } = props;
  const content = useRef<HTMLDivElement>(null);
  useFocusBack();
  return (
    <Modal
      opened
      ref={content}
      onClose={() => {
        if (isFront(content.current?.querySelector('[role="dialog"]') ?? null)) onClose?.();
      }}
      closeOnEscape={onClose !== undefined}
      {...(front ? { zIndex: frontLevel } : {})}
      withCloseButton={false}
      size={size}
      // The title names it too, but only once its content has been mounted.
      attributes={{ content: { 'aria-label': title } }}
      classNames={{ content: `${classes.content} ${classNames.content ?? ''}`, body: classNames.body ?? '' }}
    >
      <div ref={keepFocus} className={classes.head}>
        <Modal.Title className={classes.title ?? ''}>{title}</Modal.Title>
        {head}
        {onClose !== undefined && (
          <ActionIcon onClick={onClose} aria-label="Close">
            <X size={16} aria-hidden />
          </ActionIcon>
        )}
      </div>
      {children}
    </Modal>
  );
}

/** The buttons at the end of a dialog, the main one last. */
export function DialogFoot({ note, children }: { note?: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.foot}>
      <div className={classes.note}>{note}</div>
      {children}
    </div>
  );
}
