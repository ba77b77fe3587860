import { isRecord } from '../../../../../shared/json.ts';
import { listKeys, listMethods } from '../../../../../shared/model/mcp.ts';
import { systemClock } from '../../../base/clock.ts';
import { createPeer } from '../../../jsonrpc/peer.ts';
import type { Peer } from '../../../jsonrpc/peer-contract.ts';
import type { Transport } from '../../../jsonrpc/transport.ts';
import { withoutRelation } from '../../../transport/modern/related-transport.ts';
import { leftOutText, Portions } from '../../log/portions.ts';
import type { RunOptions } from '../run.ts';
import { createIncomingRequests } from './incoming-requests.ts';

export interface Session {
  readonly peer: Peer;
  readonly transport: Transport;
  /**
   * Resolves with the reason, if known, when the connection has ended and everything pending has been
   * rejected.
   */
  readonly closed: Promise<Error | undefined>;
}

/** Hub side of a connection to a server: answers pings, passes on requests, and logs noise. */
export function openSession(
  transport: Transport,
  { log, events }: Pick<RunOptions, 'log' | 'events'>,
): Session {
  const { promise: closed, resolve } = deferred<Error | undefined>();
  const noise = new Portions<string>({
    clock: systemClock,
    size: ({ length }) => length + 1,
    pass(text, lost) {
      if (lost > 0) log.append('stdout', leftOutText(lost));
      log.append('stdout', text);
    },
  });
  const incoming = createIncomingRequests(events.request, (notice) => peer.forwardNotification(notice));
  const peer = createPeer(transport, {
    request: (request, relatedTo) => incoming.answer(withoutRelation(request), relatedTo),
    notification(received, relatedTo) {
      const notification = withoutRelation(received);
      const { method, params } = notification;
      if (method === 'notifications/cancelled') incoming.cancel(params?.requestId, params?.reason);
      else events.notification(notification, relatedTo);
    },
    methodOf: (result) => (isRecord(result) ? members.find(([member]) => member in result)?.[1] : undefined),
    lateResponse: events.lateAnswer,
    idle: events.idle,
    noise: (text) => noise.push(text),
    closed(reason) {
      noise.end();
      incoming.cancelAll();
      resolve(reason);
    },
  });
  return { peer, transport, closed };
}

/** Members that occur in the results of only one method. */
const members = [
  ['protocolVersion', 'initialize'],
  ...listMethods.map((method) => [listKeys[method], method] as const),
  ['content', 'tools/call'],
  ['contents', 'resources/read'],
  ['messages', 'prompts/get'],
  ['completion', 'completion/complete'],
] as const;

function deferred<T>() {
  let settle: (value: T) => void = () => {};
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return { promise, resolve: (value: T) => settle(value) };
}
