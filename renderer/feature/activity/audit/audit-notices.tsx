import { ActionIcon, Button } from '@mantine/core';
import { ShieldAlert, ShieldCheck, ShieldQuestion, VideoOff, X } from 'lucide-react';
import { useStore } from 'zustand/react';
import type { AuditVerdict } from '../../../../shared/model/audit.ts';
import { keepAudit } from '../../../command/audit-actions.ts';
import { useModel } from '../../../store/model-context.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import classes from '../activity-view.module.css';
import own from './audit.module.css';
import { verdictText } from './audit-words.ts';
import type { Verification } from './use-verification.ts';

interface AuditNoticesProps {
  readonly verification: Verification;
  readonly hasRows: boolean;
}

/** What came of a verification, and that nothing is added where that is so. */
export function AuditNotices({ verification: { state, dismiss }, hasRows }: AuditNoticesProps) {
  const isOn = useIsKept();
  return (
    <>
      {hasRows && !isOn && (
        <div className={classes.notice}>
          <Notice
            label="Audit log"
            tone="quiet"
            icon={<VideoOff size={16} />}
            title="The audit log is turned off"
            text="This is what was kept before. Nothing is added to it."
            actions={<KeepAgain />}
          />
        </div>
      )}
      {state.kind === 'failed' && (
        <div className={classes.notice}>
          <ProblemCard problem={state.problem} about="Verification of the audit log" />
        </div>
      )}
      {state.kind === 'done' && (
        <div className={classes.notice}>
          <Verdict verdict={state.verdict} onDismiss={dismiss} />
        </div>
      )}
    </>
  );
}

export function KeepAgain() {
  const model = useModel();
  return <Button onClick={() => void keepAudit(model, true)}>Turn on</Button>;
}

export function useIsKept(): boolean {
  return useStore(useModel().mirrors.settings, (settings) => settings?.audit ?? true);
}

function Verdict({ verdict, onDismiss }: { verdict: AuditVerdict; onDismiss: () => void }) {
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
        <ActionIcon aria-label="Put the verification away" onClick={onDismiss}>
          <X size={16} aria-hidden />
        </ActionIcon>
      }
    >
      {verdict.ok && verdict.head !== undefined && <Head hash={verdict.head} />}
      {!verdict.ok && <p className={own.remark}>{brokenAdvice}</p>}
    </Notice>
  );
}

const brokenAdvice =
  'The log file was changed, or the disk lost part of it. Keep a copy of audit.db in the data folder for whoever investigates, and compare it with what was exported before.';

/** With it, noted elsewhere, nobody can take rows from the end unseen. */
function Head({ hash }: { hash: string }) {
  return (
    <p className={own.remark}>
      Hash of the newest row: <code className={own.hash}>{hash}</code>{' '}
      <CopyButton text={() => hash} label="Copy the hash of the newest row" /> Noted elsewhere, it proves
      later that no row was taken from the end.
    </p>
  );
}
