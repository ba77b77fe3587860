import { Button, Group } from '@mantine/core';
import { Ban } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand/react';
import type { ApprovalAnswer, ApprovalRequest } from '../../../shared/model/access/access.ts';
import { answerApproval } from '../../command/access/approval-actions.ts';
import { clientTitle } from '../../lib/server/client-title.ts';
import { formatCount } from '../../lib/text/format-amount.ts';
import { useModel, useServerTitle } from '../../store/model-context.tsx';
import { JsonTree } from '../../ui/json/json-tree.tsx';
import { TimeLeft } from '../../ui/text/time-text.tsx';
import { RiskMark } from '../../ui/tool/risk-mark.tsx';
import classes from './approvals.module.css';

/** Shows one call (who wants to run which tool with which arguments) and the buttons to answer it. */
export function RequestPage({ request }: { request: ApprovalRequest }) {
  const { serverKey, tool, clientName, risk, argumentsText, expiresAt, behind } = request;
  const description = useDescription(request);
  const title = useServerTitle(serverKey);
  return (
    <div className={classes.request}>
      <p className={classes.who}>
        <span>
          <strong>{clientTitle({ name: clientName })}</strong> wants to run <strong>{tool}</strong> on{' '}
          <strong>{title}</strong>
          {title !== serverKey && ` (${serverKey})`}
        </span>
        <RiskMark risk={risk} />
        <span className="end dim tiny">
          <TimeLeft until={expiresAt} />
        </span>
      </p>
      {description !== undefined && <p className={classes.description}>{description}</p>}
      <div className={classes.arguments} data-arguments>
        <JsonTree text={argumentsText} label={`Arguments of ${tool}`} />
      </div>
      {behind > 0 && (
        <p className="soft small">
          {formatCount(behind, 'more call')} to this tool {behind === 1 ? 'is' : 'are'} waiting. “Allow once”
          covers only this call; “Deny” denies them all.
        </p>
      )}
      <Answers request={request} />
    </div>
  );
}

function Answers({ request }: { request: ApprovalRequest }) {
  const model = useModel();
  const isSettled = useSettled(request.id);
  const button = (answer: ApprovalAnswer) => ({
    'aria-disabled': !isSettled,
    onClick: () => {
      if (isSettled) void answerApproval(model, request, answer);
    },
  });
  return (
    <Group gap={8} role="group" aria-label="Your answer">
      <Button {...button('once')}>Allow once</Button>
      <Button variant="default" {...button('for-15-minutes')}>
        Allow for 15 minutes
      </Button>
      <Button variant="default" {...button('always')}>
        Always allow
      </Button>
      <Button
        variant="default"
        leftSection={<Ban size={13} aria-hidden color="var(--bad)" />}
        {...button('deny')}
      >
        Deny
      </Button>
    </Group>
  );
}

/**
 * Returns false for a moment after the request changes, so that a click meant for the previous one answers
 * nothing.
 */
function useSettled(id: string): boolean {
  const [settled, setSettled] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => setSettled(id), 400);
    return () => clearTimeout(timer);
  }, [id]);
  return settled === id;
}

function useDescription({ serverKey, tool }: ApprovalRequest): string | undefined {
  return useStore(
    useModel().mirrors.tools,
    (tools) => tools[serverKey]?.find(({ name }) => name === tool)?.description,
  );
}
