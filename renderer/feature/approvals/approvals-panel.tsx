import { Button } from '@mantine/core';
import { ChevronDown, Hand } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { useStore } from 'zustand/react';
import type { ApprovalRequest } from '../../../shared/model/access/access.ts';
import { showApprovals } from '../../command/access/approval-actions.ts';
import { comboForAria } from '../../lib/key-combo.ts';
import { paletteName } from '../../lib/palette-name.ts';
import { clientTitle } from '../../lib/server/client-title.ts';
import {
  approvalsShortcut,
  requestText,
  waitingCallCount,
  waitingTitle,
} from '../../lib/text/approval-texts.ts';
import { useModel, useTitleOf } from '../../store/model-context.tsx';
import { titleOf } from '../../store/server-title.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { KeyHint } from '../../ui/text/key-hint.tsx';
import { TimeLeft } from '../../ui/text/time-text.tsx';
import { RiskMark } from '../../ui/tool/risk-mark.tsx';
import classes from './approvals.module.css';
import { RequestPage } from './request-page.tsx';

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
        <Hand size={16} aria-hidden className="fixed warns" />
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

interface RequestListProps {
  readonly waiting: readonly ApprovalRequest[];
  /** Index of the open call. */
  readonly index: number;
  readonly onChoose: (index: number) => void;
}

/** Lists all waiting calls. */
function RequestList({ waiting, index, onChoose }: RequestListProps) {
  const titleOf = useTitleOf();
  return (
    <ul className={classes.list} aria-label="Waiting calls">
      {waiting.map((request, at) => (
        <li key={request.id} data-open={at === index}>
          <button
            type="button"
            className={`bare ${classes.entry}`}
            aria-current={at === index ? 'true' : undefined}
            onClick={() => onChoose(at)}
          >
            <span className="truncate small medium">
              {titleOf(request.serverKey)}:{request.tool}
              {request.behind > 0 && ` (${request.behind + 1})`}
            </span>
            <span className={classes.entryNote}>
              {clientTitle({ name: request.clientName })} · <TimeLeft until={request.expiresAt} />
            </span>
            {request.risk === 'high' && <RiskMark risk="high" compact />}
          </button>
        </li>
      ))}
    </ul>
  );
}

/**
 * Focuses the panel when asked to, or shows its calls in front of an open dialog. The returned function
 * restores the previous focus, which also happens when the panel disappears while focused.
 */
function usePanelFocus(panel: RefObject<HTMLElement | null>): () => void {
  const { approval } = useModel();
  const wanted = useStore(approval, (state) => state.wanted);
  const previousFocus = useRef<Element | null>(null);
  useEffect(() => {
    if (!wanted) return;
    if (isCovered()) {
      approval.setState({ wanted: false, inFront: true });
      return;
    }
    const { activeElement } = document;
    if (panel.current?.contains(activeElement) !== true) previousFocus.current = activeElement;
    panel.current?.focus();
    approval.setState({ wanted: false });
  }, [approval, panel, wanted]);
  const restoreFocus = useCallback(() => {
    const { current } = previousFocus;
    const isThere = current?.isConnected === true && current !== document.body;
    const target = isThere ? current : document.getElementById('content');
    if (target instanceof HTMLElement) target.focus();
  }, []);
  useLayoutEffect(
    () => () => {
      if (panel.current?.contains(document.activeElement) === true) restoreFocus();
      approval.setState({ folded: false, inFront: false, openId: undefined });
    },
    [approval, panel, restoreFocus],
  );
  return restoreFocus;
}

/** Returns whether a menu or dialog covers the panel. The palette does not count, since it is closing. */
function isCovered(): boolean {
  const open = document.querySelectorAll(`[role="menu"], [role="dialog"]:not([aria-label="${paletteName}"])`);
  return open.length > 0;
}
