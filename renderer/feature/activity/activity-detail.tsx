import { Button, Loader } from '@mantine/core';
import { FlaskConical } from 'lucide-react';
import type { ActivityDetail, ActivityRow } from '../../../shared/model/activity/activity.ts';
import type { TestKind } from '../../../shared/model/tool/tester.ts';
import { tryInTester } from '../../command/open-tester.ts';
import { formatBytes, formatCount } from '../../lib/text/format-amount.ts';
import { formatExactMoment, formatMilliseconds } from '../../lib/text/format-time.ts';
import { useEngine } from '../../store/hook/use-engine.ts';
import { useModel, useServers, useTitleOf } from '../../store/model-context.tsx';
import { Fact, Facts, Section } from '../../ui/facts.tsx';
import { JsonTree } from '../../ui/json/json-tree.tsx';
import { ProblemCard } from '../../ui/problem-card.tsx';
import { CopyButton } from '../../ui/text/copy-button.tsx';
import { rowTitle } from './activity-labels.ts';
import { RowOutcome } from './activity-list.tsx';
import classes from './activity-view.module.css';
import { LogPane, ServerLink } from './log/log-pane.tsx';

/** Shows one recorded entry in full. */
export function ActivityDetailPane({ id, onClose }: { id: number; onClose: () => void }) {
  const state = useEngine('activity.get', { id });
  const titleOf = useTitleOf();
  const title = state.kind === 'known' ? rowTitle(state.value.row, titleOf) : 'Entry';
  return (
    <LogPane
      title={title}
      outcome={state.kind === 'known' && <RowOutcome row={state.value.row} />}
      onClose={onClose}
    >
      {state.kind === 'loading' && <Loader size="sm" aria-label="Loading the details" />}
      {state.kind === 'failed' && <ProblemCard problem={state.problem} />}
      {state.kind === 'known' && <LoadedEntry detail={state.value} />}
    </LogPane>
  );
}

function LoadedEntry({ detail }: { detail: ActivityDetail }) {
  const { row, isCut } = detail;
  const args = detail.arguments;
  return (
    <>
      {row.text !== undefined && (
        <p className={classes.message} data-tone={row.tone}>
          {row.text}
        </p>
      )}
      <ActivityFacts row={row} />
      <TesterButton row={row} args={args} />
      {args !== undefined && <Body title={row.kind === 'question' ? 'Request' : 'Arguments'} text={args} />}
      {detail.result !== undefined && (
        <Body title={row.kind === 'question' ? 'Response' : 'Result'} text={detail.result} />
      )}
      {(args !== undefined || detail.result !== undefined) && (
        <p className="dim tiny">
          {isCut ? 'Long values are truncated. ' : ''}Known and likely secrets were replaced with ••• before
          this was saved.
        </p>
      )}
    </>
  );
}

function Body({ title, text }: { title: string; text: string }) {
  return (
    <Section title={title} aside={<CopyButton text={() => text} label={`Copy: ${title}`} />}>
      <JsonTree text={text} label={`${title} as JSON`} />
    </Section>
  );
}

const kinds: Readonly<Record<string, TestKind>> = {
  'tools/call': 'tool',
  'prompts/get': 'prompt',
  'resources/read': 'resource',
};

/** Offers to repeat an entry in the tester, while its server still exists. */
function TesterButton({ row, args }: { row: ActivityRow; args: string | undefined }) {
  const model = useModel();
  const { serverKey = '', name, method = '', kind } = row;
  const exists = useServers((state) => serverKey in state.byKey);
  const testKind = kinds[method];
  if (!exists || kind !== 'call' || testKind === undefined || name === undefined) return null;
  const target = { serverKey, kind: testKind, name };
  return (
    <div>
      <Button
        variant="default"
        leftSection={<FlaskConical size={14} aria-hidden />}
        onClick={() =>
          tryInTester(
            model,
            testKind === 'resource' || args === undefined ? target : { ...target, arguments: args },
          )
        }
      >
        Open in tester
      </Button>
    </div>
  );
}

function ActivityFacts({ row }: { row: ActivityRow }) {
  const { clientName, serverKey, method, milliseconds, requestBytes, answerBytes } = row;
  const { clientProtocol, serverProtocol } = row;
  return (
    <Facts>
      <Fact label="When">{formatExactMoment(row.at)}</Fact>
      {milliseconds !== undefined && <Fact label="Duration">{formatMilliseconds(milliseconds)}</Fact>}
      {clientName !== undefined && <Fact label="Client">{clientName}</Fact>}
      {clientProtocol !== undefined && <Fact label="Client speaks">MCP {clientProtocol}</Fact>}
      {serverKey !== undefined && (
        <Fact label="Server">
          <ServerLink serverKey={serverKey} />
        </Fact>
      )}
      {serverProtocol !== undefined && <Fact label="Server speaks">MCP {serverProtocol}</Fact>}
      {method !== undefined && (
        <Fact label="Method">
          <code>{method}</code>
        </Fact>
      )}
      {requestBytes !== undefined && <Fact label="Request">{formatBytes(requestBytes)}</Fact>}
      {answerBytes !== undefined && <Fact label="Response">{formatBytes(answerBytes)}</Fact>}
      <DeliveryFacts row={row} />
    </Facts>
  );
}

/** Shows retries, fallbacks, repeated results and grouped rows, where there are any. */
function DeliveryFacts({ row: { attempts, fallback, repeated, count, kind } }: { row: ActivityRow }) {
  return (
    <>
      {attempts !== undefined && (
        <Fact label="Sent">{attempts === 0 ? 'Never' : formatCount(attempts, 'time')}</Fact>
      )}
      {fallback !== undefined && (
        <Fact label="Answered by">
          <code>{fallback}</code>
        </Fact>
      )}
      {repeated === true && <Fact label="Repeated">Returned the first result for this idempotency key</Fact>}
      {count !== undefined && (
        <Fact label="Combines">
          {kind === 'call'
            ? `${formatCount(count, 'call')} recorded together because they came in quick succession; duration is the average, sizes are totals`
            : formatCount(count, 'message')}
        </Fact>
      )}
    </>
  );
}
