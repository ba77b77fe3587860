import { Button } from '@mantine/core';
import { ChevronDown, Hand } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import { useStore } from 'zustand/react';
import type { ApprovalRequest } from '../../../shared/model/access.ts';
import { showApprovals } from '../../command/approval-actions.ts';
import { approvalsShortcut, callsWaiting, waitingTitle, wishOf } from '../../lib/approval-words.ts';
import { comboForAria } from '../../lib/key-combo.ts';
import { useModel } from '../../store/model-context.tsx';
import { KeyHint } from '../../ui/key-hint.tsx';
import classes from './approvals.module.css';
import { RequestList } from './request-list.tsx';
import { RequestPage } from './request-page.tsx';
import { usePanelFocus } from './use-panel-focus.ts';

/**
 * Calls that wait for somebody, below every view: one panel however many there are, which takes neither the keyboard nor
 * the view. Escape leaves them waiting.
 */
export function ApprovalsPanel({ waiting }: { waiting: readonly ApprovalRequest[] }) {
  const model = useModel();
  const panel = useRef<HTMLElement>(null);
  const openId = useStore(model.approval, (state) => state.openId);
  const folded = useStore(model.approval, (state) => state.folded);
  const leave = usePanelFocus(panel);
  const index = Math.max(
    0,
    waiting.findIndex(({ id }) => id === openId),
  );
  const open = waiting[index];
  if (open === undefined) return null;
  const title = waitingTitle(callsWaiting(waiting));
  const choose = (next: number) => model.approval.setState({ openId: waiting[next]?.id });
  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const step = steps[event.key];
    if (event.key === 'Escape') {
      event.preventDefault();
      model.approval.setState({ folded: true });
      leave();
    } else if (step !== undefined && !scrollsItself(event.target)) {
      event.preventDefault();
      choose(Math.min(waiting.length - 1, Math.max(0, index + step)));
    }
  }
  return (
    <section
      ref={panel}
      tabIndex={-1}
      className={classes.panel}
      aria-label="Calls that wait for you"
      aria-keyshortcuts={comboForAria(approvalsShortcut, model.mac)}
      onKeyDown={onKeyDown}
    >
      <header className={classes.head}>
        <Hand size={16} aria-hidden className={classes.hand} />
        <h2 className={classes.title}>{title}</h2>
        {folded && <p className={classes.wish}>{wishOf(open)}</p>}
        <KeyHint combo={approvalsShortcut} />
        {folded ? (
          <Button onClick={() => showApprovals(model)}>Answer</Button>
        ) : (
          <Button
            variant="subtle"
            leftSection={<ChevronDown size={14} aria-hidden />}
            onClick={() => {
              model.approval.setState({ folded: true });
              leave();
            }}
          >
            Leave waiting
          </Button>
        )}
      </header>
      {!folded && (
        <div className={classes.body} data-many={waiting.length > 1}>
          <RequestPage request={open} />
          {waiting.length > 1 && <RequestList waiting={waiting} index={index} onChoose={choose} />}
        </div>
      )}
    </section>
  );
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

/** The arguments scroll by the same keys. */
function scrollsItself(target: EventTarget): boolean {
  return target instanceof Element && target.closest('[data-arguments]') !== null;
}
