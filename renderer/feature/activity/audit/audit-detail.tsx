import type { ReactNode } from 'react';
import type { AuditRow } from '../../../../shared/model/activity/audit.ts';
import { actionText } from '../../../../shared/model/activity/audit-text.ts';
import { formatCount } from '../../../lib/text/format-amount.ts';
import { formatExactMoment, formatMilliseconds } from '../../../lib/text/format-time.ts';
import { Fact, Facts, Section } from '../../../ui/facts.tsx';
import { CopyButton } from '../../../ui/text/copy-button.tsx';
import classes from '../activity-view.module.css';
import { LogPane, ServerLink } from '../log/log-pane.tsx';
import own from './audit.module.css';
import { actorText, auditLook, decisionText } from './audit-labels.ts';
import { AuditOutcome } from './audit-list.tsx';

/** Shows one audit row in full. */
export function AuditDetailPane({ row, onClose }: { row: AuditRow; onClose: () => void }) {
  const title = row.tool ?? actionText(row);
  return (
    <LogPane title={title} outcome={<AuditOutcome row={row} />} onClose={onClose}>
      {row.text !== undefined && (
        <p className={classes.message} data-tone={auditLook(row).tone}>
          {row.text}
        </p>
      )}
      <RowFacts row={row} />
      {row.kind === 'invocation' && <CallFacts row={row} />}
      <Section title="Hash chain">
        <Facts>
          <Fact label="Row">{row.seq.toLocaleString('en')}</Fact>
          <Fact label="Hash">
            <Hash value={row.hash} label="Copy the row’s hash" />
          </Fact>
        </Facts>
        <p className="dim tiny">SHA-256 of this row and the previous row’s hash.</p>
      </Section>
    </LogPane>
  );
}

function RowFacts({ row }: { row: AuditRow }) {
  return (
    <Facts>
      <Fact label="When">{formatExactMoment(row.at)}</Fact>
      <Fact label="Who">
        {actorText(row.actor)}
        {actorText(row.actor) !== row.actor && <code className="dim"> {row.actor}</code>}
      </Fact>
      <Fact label="What">{actionText(row)}</Fact>
      {row.serverKey !== undefined && (
        <Fact label="Server">
          <ServerLink serverKey={row.serverKey} />
        </Fact>
      )}
      {row.tool !== undefined && (
        <Fact label="Tool">
          <code>{row.tool}</code>
        </Fact>
      )}
    </Facts>
  );
}

function CallFacts({ row }: { row: AuditRow }) {
  const { decision, correlationId, paramsHash, milliseconds, attempts, resultSummary } = row;
  return (
    <>
      <Facts>
        <Fact label="Decision">{decisionText(row)}</Fact>
        {milliseconds !== undefined && <Fact label="Duration">{formatMilliseconds(milliseconds)}</Fact>}
        {attempts !== undefined && (
          <Fact label="Sent">{attempts === 0 ? 'Never' : formatCount(attempts, 'time')}</Fact>
        )}
        {correlationId !== undefined && (
          <Fact label="Correlation ID">
            <Hash value={correlationId} label="Copy the correlation ID" />
          </Fact>
        )}
        {paramsHash !== undefined && (
          <Fact label="Arguments">
            <Hash value={paramsHash} label="Copy the hash of the arguments" />
          </Fact>
        )}
      </Facts>
      {decision !== undefined && paramsHash !== undefined && (
        <p className="dim tiny">
          Only the SHA-256 of the arguments is stored, computed with secrets removed. Equal arguments have
          equal hashes.
        </p>
      )}
      {row.isPartial === true && (
        <p className="dim tiny">
          Patchbay was stopped before it recorded the details of this call. The call itself was made.
        </p>
      )}
      {resultSummary !== undefined && (
        <Section title="Result summary">
          <Summary>{resultSummary}</Summary>
        </Section>
      )}
    </>
  );
}

function Summary({ children }: { children: ReactNode }) {
  return <pre className={own.summary}>{children}</pre>;
}

function Hash({ value, label }: { value: string; label: string }) {
  return (
    <span className={own.copied}>
      <code className="breaks selectable">{value}</code>
      <CopyButton text={() => value} label={label} />
    </span>
  );
}
