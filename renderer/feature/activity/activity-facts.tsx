import type { ActivityRow } from '../../../shared/model/activity/activity.ts';
import { formatBytes, formatCount } from '../../lib/text/format-amount.ts';
import { formatExactMoment, formatMilliseconds } from '../../lib/text/format-time.ts';
import { Fact, Facts } from '../../ui/facts.tsx';
import { ServerLink } from './log/log-pane.tsx';

export function ActivityFacts({ row }: { row: ActivityRow }) {
  const { clientName, serverKey, method, milliseconds, requestBytes, answerBytes } = row;
  return (
    <Facts>
      <Fact label="When">{formatExactMoment(row.at)}</Fact>
      {milliseconds !== undefined && <Fact label="Duration">{formatMilliseconds(milliseconds)}</Fact>}
      {clientName !== undefined && <Fact label="Client">{clientName}</Fact>}
      {serverKey !== undefined && (
        <Fact label="Server">
          <ServerLink serverKey={serverKey} />
        </Fact>
      )}
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
