import { ActionIcon, Button } from '@mantine/core';
import { ShieldAlert, ShieldCheck, ShieldQuestion, VideoOff, X } from 'lucide-react';
import { useStore } from 'zustand/react';
import type { AuditVerdict } from '../../../../shared/model/activity/audit.ts';
import { keepAudit } from '../../../command/activity/audit-actions.ts';
import { useModel } from '../../../store/model-context.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { CopyButton } from '../../../ui/text/copy-button.tsx';
import classes from '../activity-view.module.css';
import { verdictText } from './audit-labels.ts';
import type { Verification } from './use-verification.ts';

interface AuditNoticesProps {
  readonly verification: Verification;
  readonly hasRows: boolean;
}

/** Shows the result of a verification, and a note while the log is turned off. */
export function AuditNotices({ verification: { state, dismiss }, hasRows }: AuditNoticesProps) {
  const isOn = useAuditEnabled();
  return (
    <>
      {hasRows && !isOn && (
        <div className={classes.notice}>
          <Notice
            label="Audit log"
            tone="quiet"
            icon={<VideoOff size={16} />}
            title="The audit log is turned off"
            text="These are older entries. Nothing new is being recorded."
            actions={<TurnOnAuditButton />}
          />
        </div>
      )}
      {state.kind === 'failed' && (
        <div className={classes.notice}>
          <ProblemCard problem={state.problem} about="Audit log verification" />
        </div>
      )}
      {state.kind === 'done' && (
        <div className={classes.notice}>
          <VerificationResult verdict={state.verdict} onDismiss={dismiss} />
        </div>
      )}
    </>
  );
}

export function TurnOnAuditButton() {
  const model = useModel();
  return <Button onClick={() => void keepAudit(model, true)}>Turn on</Button>;
}

export function useAuditEnabled(): boolean {
  return useStore(useModel().mirrors.settings, (settings) => settings?.audit ?? true);
}

function VerificationResult({ verdict, onDismiss }: { verdict: AuditVerdict; onDismiss: () => void }) {
  const { title, text } = verdictText(verdict);
  const isEmpty = verdict.ok && verdict.since === undefined;
  const Icon = !verdict.ok ? ShieldAlert : isEmpty ? ShieldQuestion : ShieldCheck;
  return (
    <Notice
      label="Verification"
      tone={!verdict.ok ? 'bad' : isEmpty ? 'quiet' : 'good'}
      icon={<Icon size={16} />}
      title={title}
      text={text}
      actions={
        <ActionIcon aria-label="Dismiss the verification" onClick={onDismiss}>
          <X size={16} aria-hidden />
        </ActionIcon>
      }
    >
      {verdict.ok && verdict.head !== undefined && <NewestHash hash={verdict.head} />}
      {!verdict.ok && <p className="soft">{brokenAdvice}</p>}
    </Notice>
  );
}

const brokenAdvice =
  'The log file was changed, or part of it was lost on disk. Keep a copy of audit.db from the data folder for an investigation, and compare it with earlier exports.';

/** Shows the newest hash. Noted elsewhere, it reveals rows that are later removed from the end. */
function NewestHash({ hash }: { hash: string }) {
  return (
    <p className="soft">
      Hash of the newest row: <code className="breaks selectable">{hash}</code>{' '}
      <CopyButton text={() => hash} label="Copy the hash of the newest row" /> Keep it somewhere else: it can
      prove later that no rows were removed from the end.
    </p>
  );
}
