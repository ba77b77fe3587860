import { ActionIcon, Button, Loader, Tooltip } from '@mantine/core';
import { CircleCheck, CircleDashed, ListChecks, OctagonX, Play, Trash2 } from 'lucide-react';
import type { Check } from '../../../../shared/model/tool/tester.ts';
import { openTester } from '../../../command/navigate.ts';
import { removeCheck, runChecks } from '../../../command/tester-actions.ts';
import { formatCount } from '../../../lib/text/format-amount.ts';
import { formatMilliseconds } from '../../../lib/text/format-time.ts';
import { useModel, useServerTitle } from '../../../store/model-context.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Tag } from '../../../ui/tag.tsx';
import { Ago } from '../../../ui/text/time-text.tsx';
import { DueChecks } from '../../../ui/tool/due-checks.tsx';
import classes from './checks-page.module.css';

/** Lists the checks of one server and their last results. */
export function ChecksPage({
  serverKey,
  checks,
}: {
  serverKey: string;
  checks: readonly Check[] | undefined;
}) {
  const model = useModel();
  const title = useServerTitle(serverKey);
  if (checks === undefined) return null;
  if (checks.length === 0) {
    return (
      <EmptyState
        icon={ListChecks}
        title="No checks yet"
        text="Run a tool, look at its result, and save the run as a check. After a server update, run all checks again to see what changed."
      >
        <Button onClick={() => openTester(model, { serverKey })}>Try something</Button>
      </EmptyState>
    );
  }
  const failed = checks.filter(({ last }) => last?.ok === false).length;
  const isRunning = checks.some(({ running }) => running);
  return (
    <div className={`pane ${classes.page}`}>
      <DueChecks serverKey={serverKey} checks={checks} />
      <div className="row apart">
        <p role="status">
          {formatCount(checks.length, 'check')}
          {failed > 0 && <span className={classes.failed}>, {failed} failed</span>}
        </p>
        <Button
          leftSection={<Play size={13} aria-hidden />}
          loading={isRunning}
          onClick={() => void runChecks(model, { serverKey })}
        >
          Run all
        </Button>
      </div>
      <ul className={classes.list} aria-label={`Checks of ${title}`}>
        {checks.map((check) => (
          <CheckRow key={check.id} check={check} />
        ))}
      </ul>
    </div>
  );
}

function CheckRow({ check }: { check: Check }) {
  const model = useModel();
  const { id, title, target, last, running, due } = check;
  return (
    <li className={classes.row}>
      <CheckMark check={check} />
      <div className="grow">
        <p className="row min-0 gap-8 medium">
          <span className="truncate">{title}</span>
          {due && <Tag title="The server or the definition has changed since it was last run.">due</Tag>}
        </p>
        <p className="dim tiny breaks">
          {target.kind} <code>{target.name}</code>
          {last !== undefined && (
            <>
              {' '}
              · {formatMilliseconds(last.milliseconds)} · <Ago at={last.at} />
            </>
          )}
        </p>
        {last !== undefined && last.differences.length > 0 && (
          <ul className={classes.differences} aria-label={`Differences in ${title}`}>
            {last.differences.map((difference) => (
              <li key={difference}>{difference}</li>
            ))}
          </ul>
        )}
      </div>
      <Button
        variant="default"
        size="compact-xs"
        disabled={running}
        aria-label={`Run ${title}`}
        onClick={() => void runChecks(model, { ids: [id] })}
      >
        Run
      </Button>
      <Tooltip label="Remove">
        <ActionIcon aria-label={`Remove ${title}`} onClick={() => void removeCheck(model, id)}>
          <Trash2 size={14} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </li>
  );
}

function CheckMark({ check: { last, running } }: { check: Check }) {
  if (running) return <Loader size={14} aria-label="Running" />;
  if (last === undefined)
    return <CircleDashed className="dim" size={15} role="img" aria-label="Not run yet" />;
  return last.ok ? (
    <CircleCheck className={classes.good} size={15} role="img" aria-label="Passed" />
  ) : (
    <OctagonX className={classes.bad} size={15} role="img" aria-label="Failed" />
  );
}
