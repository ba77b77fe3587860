import { Button } from '@mantine/core';
import { ChevronDown, Hand } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import { useStore } from 'zustand/react';
import type { ApprovalRequest } from '../../../shared/model/access/access.ts';
import { showApprovals } from '../../command/access/approval-actions.ts';
import { comboForAria } from '../../lib/key-combo.ts';
import {
  approvalsShortcut,
  requestText,
  waitingCallCount,
  waitingTitle,
} from '../../lib/text/approval-texts.ts';
import { useModel } from '../../store/model-context.tsx';
import { titleOf } from '../../store/server-title.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { KeyHint } from '../../ui/text/key-hint.tsx';
import classes from './approvals.module.css';
import { RequestList } from './request-list.tsx';
import { RequestPage } from './request-page.tsx';
import { usePanelFocus } from './use-panel-focus.ts';

/**
 * Shows calls that wait for approval below every view, in one panel that takes neither the keyboard nor the
 * view. Escape collapses it and leaves the calls waiting. While a dialog is open, the calls can be shown in
 * front of it.
 */
export function ApprovalsPanel({ waiting }: { waiting: readonly ApprovalRequest[] }) {
  const model = useModel();
  const panel = useRef<HTMLElement>(null);
  const folded = useStore(model.approval, (state) => state.folded);
  const inFront = useStore(model.approval, (state) => state.inFront);
  const restoreFocus = usePanelFocus(panel);
  const fold = () => {
    model.approval.setState({ folded: true });
    restoreFocus();
  };
  const calls = useCalls(waiting);
  if (calls === undefined) return null;
  const title = waitingTitle(waitingCallCount(waiting));
  if (inFront)
    return (
      <Dialog title={title} size={860} front onClose={() => model.approval.setState({ inFront: false })}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons inside work without these keys */}
        <div className={classes.front} data-autofocus tabIndex={-1} onKeyDown={calls.onKeyDown}>
          {calls.body}
        </div>
      </Dialog>
    );
  return (
    <section
      ref={panel}
      tabIndex={-1}
      className={classes.panel}
      aria-label="Calls that need approval"
      aria-keyshortcuts={comboForAria(approvalsShortcut, model.mac)}
      onKeyDown={(event) => {
        calls.onKeyDown(event);
        if (event.key !== 'Escape') return;
        event.preventDefault();
        fold();
      }}
    >
      <header className={`row ${classes.head}`}>
        <Hand size={16} aria-hidden className={classes.hand} />
        <h2 className={classes.title}>{title}</h2>
        {folded && (
          <p className="truncate grow soft">{requestText(calls.open, (key) => titleOf(model, key))}</p>
        )}
        <KeyHint combo={approvalsShortcut} />
        {folded ? (
          <Button onClick={() => showApprovals(model)}>Answer</Button>
        ) : (
          <Button variant="subtle" leftSection={<ChevronDown size={14} aria-hidden />} onClick={fold}>
            Decide later
          </Button>
        )}
      </header>
      {!folded && calls.body}
    </section>
  );
}

/** Renders the open call beside the list of waiting ones; arrow keys move through the list. */
function useCalls(waiting: readonly ApprovalRequest[]) {
  const { approval } = useModel();
  const openId = useStore(approval, (state) => state.openId);
  const found = waiting.findIndex(({ id }) => id === openId);
  const index = Math.max(0, found);
  const open = waiting[index];
  if (open === undefined) return undefined;
  const choose = (next: number) => approval.setState({ openId: waiting[next]?.id });
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = steps[event.key];
    if (step === undefined || scrollsItself(event.target)) return;
    event.preventDefault();
    choose(Math.min(waiting.length - 1, Math.max(0, index + step)));
  };
  const body = (
    <div className={classes.body} data-many={waiting.length > 1}>
      <RequestPage request={open} />
      {waiting.length > 1 && <RequestList waiting={waiting} index={index} onChoose={choose} />}
    </div>
  );
  return { open, onKeyDown, body };
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

/** Arrow keys scroll the arguments, so they must not change the selection there. */
function scrollsItself(target: EventTarget): boolean {
  return target instanceof Element && target.closest('[data-arguments]') !== null;
}
