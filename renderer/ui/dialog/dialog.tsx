import { ActionIcon, Modal } from '@mantine/core';
import { X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import classes from './dialog.module.css';
import { useRestoreFocus } from './use-restore-focus.ts';

interface DialogProps {
  /** Also its name for screen readers. */
  readonly title: string;
  /** Absent for a dialog that closes by itself and cannot be closed by the user. */
  readonly onClose?: () => void;
  /** Width in pixels. */
  readonly size: number;
  /** Controls beside the title. */
  readonly head?: ReactNode;
  /** True to show it in front of everything, including menus. */
  readonly front?: boolean;
  readonly classNames?: { readonly content?: string | undefined; readonly body?: string | undefined };
  readonly children: ReactNode;
}

/** Above menus and below messages. */
const frontLevel = 350;

/** Renders an open dialog with its title and close button. Closing restores the previous focus. */
export function Dialog(props: DialogProps) {
  const { title, onClose, size, head, front = false, classNames = {}, children } = props;
  const content = useRef<HTMLDivElement>(null);
  useRestoreFocus();
  return (
    <Modal
      opened
      ref={content}
      onClose={() => {
        if (isFrontmost(content.current?.querySelector('[role="dialog"]') ?? null)) onClose?.();
      }}
      closeOnEscape={onClose !== undefined}
      {...(front ? { zIndex: frontLevel } : {})}
      withCloseButton={false}
      size={size}
      // The title also names the dialog, but only once its content has been mounted.
      attributes={{ content: { 'aria-label': title } }}
      classNames={{ content: `${classes.content} ${classNames.content ?? ''}`, body: classNames.body ?? '' }}
    >
      <div ref={keepFocus} className={`row ${classes.head}`}>
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

/** Renders the buttons at the end of a dialog, the main one last. */
export function DialogFoot({ note, children }: { note?: ReactNode; children: ReactNode }) {
  return (
    <div className={`row ${classes.foot}`}>
      <div className="grow dim small">{note}</div>
      {children}
    </div>
  );
}

/**
 * True if nothing covers this dialog: Escape belongs to the front one, even if others are open behind it.
 * Page order decides between dialogs of the same level.
 */
function isFrontmost(dialog: Element | null): boolean {
  if (dialog === null) return true;
  const open = [...document.querySelectorAll('[role="dialog"][aria-modal="true"]')];
  const front = open.reduce((top, other) => (levelOf(other) >= levelOf(top) ? other : top), dialog);
  return front === dialog;
}

function levelOf(dialog: Element): number {
  return Number(getComputedStyle(dialog).getPropertyValue('--mb-z-index'));
}

/**
 * Ref callback for an element in a dialog that keeps the focus inside: when the focused element is removed,
 * for example by the dialog's next page, the browser would drop the focus, and neither keys nor a screen
 * reader could continue.
 */
function keepFocus(element: HTMLElement | null): (() => void) | undefined {
  const dialog = element?.closest<HTMLElement>('[role="dialog"]');
  if (dialog === undefined || dialog === null) return undefined;
  const observer = new MutationObserver(() => {
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body) dialog.focus({ preventScroll: true });
  });
  observer.observe(dialog, { childList: true, subtree: true });
  return () => observer.disconnect();
}
