import { Button } from '@mantine/core';
import { History } from 'lucide-react';
import type { TestRecord, TestTarget } from '../../../../shared/model/tool/tester.ts';
import { formatBytes } from '../../../lib/text/format-amount.ts';
import { formatMilliseconds } from '../../../lib/text/format-time.ts';
import { useAnswer, useReported } from '../../../store/hook/use-engine.ts';
import { useModel } from '../../../store/model-context.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Ago } from '../../../ui/text/time-text.tsx';
import { RawText } from '../result/raw-text.tsx';
import classes from './history-list.module.css';
import { outcomes } from './outcomes.ts';

interface HistoryListProps {
  readonly target: TestTarget;
  /** Changes with each run, so that the list is fetched again. */
  readonly runs: string;
  readonly onReuse: (text: string) => void;
}

/** Lists the last runs, newest first. */
export function HistoryList({ target, runs, onReuse }: HistoryListProps) {
  const { kind, serverKey, name } = target;
  const { link } = useModel();
  const [state, show] = useAnswer<{ readonly runs: readonly TestRecord[] }>(
    () => link.call('tester.history', { kind, serverKey, name }),
    [kind, serverKey, name, runs],
  );
  const records = useReported(state)?.runs;
  if (records === undefined) return null;
  if (records.length === 0) {
    return (
      <EmptyState
        icon={History}
        title="No runs yet"
        text="The last 50 runs are kept while Patchbay runs, with secrets masked."
      />
    );
  }
  return (
    <>
      <div className="row apart gap-10">
        <p className="dim tiny">Kept until Patchbay quits. Secrets are masked; long texts are shortened.</p>
        <Button
          variant="default"
          size="compact-xs"
          onClick={async () => {
            await link.call('tester.clearHistory', { kind, serverKey, name });
            show({ runs: [] });
          }}
        >
          Clear
        </Button>
      </div>
      <ul className={classes.list} aria-label="Runs">
        {records.map((record) => (
          <Row key={record.runId} record={record} onReuse={onReuse} />
        ))}
      </ul>
    </>
  );
}

function Row({ record, onReuse }: { record: TestRecord; onReuse: (text: string) => void }) {
  const { words, icon: Icon, tone } = outcomes[record.outcome];
  const isMasked = record.arguments.includes('•••');
  return (
    <li className={classes.row}>
      <details>
        <summary className={classes.summary}>
          <span className={classes.outcome} data-tone={tone}>
            <Icon size={13} aria-hidden />
            {words}
          </span>
          <code className="truncate soft">{record.arguments || 'no arguments'}</code>
          <span className="dim tiny numeric nowrap">
            {formatMilliseconds(record.milliseconds)} · {formatBytes(record.bytes)} ·{' '}
            <Ago at={record.startedAt} />
          </span>
        </summary>
        <div className={classes.more}>
          {record.arguments !== '' && (
            <>
              <RawText text={record.arguments} label="Arguments of this run" />
              <Button
                variant="default"
                size="compact-xs"
                disabled={isMasked}
                title={
                  isMasked
                    ? 'These arguments contain a masked secret, so they cannot be sent again.'
                    : undefined
                }
                onClick={() => onReuse(record.arguments)}
              >
                Use these arguments
              </Button>
            </>
          )}
          <RawText text={record.text} label="Result of this run" />
        </div>
      </details>
    </li>
  );
}
