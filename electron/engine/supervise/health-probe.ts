import type { Clock } from '../base/clock.ts';
import { ConnectionClosedError, RpcError } from '../rpc/message.ts';
import type { Fetch } from '../transport/http-connections.ts';
import { remoteAddress } from '../transport/remote-address.ts';
import type { Connection } from './contract.ts';
import type { CheckOutcome, ProbeMethod } from './health-rules.ts';

export interface ProbeOptions {
  readonly connection: Pick<Connection, 'request' | 'received'>;
  /** Requests to send, each if the one before was not answered. */
  readonly methods?: readonly ProbeMethod[];
  /** Called before each request. */
  readonly onProbe?: (question: ProbeMethod) => void;
  /** Checked instead of the server's own connection. */
  readonly url: string | undefined;
  /** True over the network, where a single request can be lost although the connection is alive. */
  readonly isRemote: boolean;
  readonly fetch: () => Promise<Fetch>;
  readonly clock: Clock;
  readonly timeout: number;
}

/** Checks a server for a sign of life. Never rejects, and leaves nothing pending. */
export async function probe(options: ProbeOptions): Promise<CheckOutcome> {
  const { url, methods = ['ping'] } = options;
  if (url !== undefined) return measure(options, () => fetchUrl(options, url));
  let outcome: CheckOutcome = { kind: 'ended' };
  for (const method of methods) {
    options.onProbe?.(method);
    outcome = await measure(options, () => sendProbe(method, options));
    if (outcome.kind !== 'missed' || outcome.isSilent !== true) break;
  }
  return outcome;
}

async function measure(
  { clock, timeout }: ProbeOptions,
  check: () => Promise<CheckOutcome>,
): Promise<CheckOutcome> {
  const startedAt = clock.now();
  const outcome = await check();
  const milliseconds = clock.now() - startedAt;
  // A timeout that fired much too late did so because the machine slept.
  if (outcome.kind === 'missed' && milliseconds > timeout + maxTimerDelay) return { kind: 'slept' };
  return outcome.kind === 'good' ? { ...outcome, milliseconds } : outcome;
}

/** Milliseconds by which a timer is never late, unless the machine sleeps. */
export const maxTimerDelay = 5_000;

/** Sends a request. An error response, or any message while it is pending, counts as an answer. */
async function sendProbe(
  method: ProbeMethod,
  { connection, clock, timeout, isRemote }: ProbeOptions,
): Promise<CheckOutcome> {
  const receivedBefore = connection.received();
  const pending = connection.request(method);
  const limit = clock.after(timeout, () => pending.abandon(new ProbeTimeout(timeout)));
  try {
    await pending.result;
    return { kind: 'good', by: 'ping', method };
  } catch (error) {
    if (error instanceof RpcError) return { kind: 'good', by: 'ping', method };
    if (connection.received() > receivedBefore) return { kind: 'good', by: 'ping' };
    if (error instanceof ConnectionClosedError && !isRemote) return { kind: 'ended' };
    const missed = { kind: 'missed', by: 'ping', reason: reasonOf(error) } as const;
    return error instanceof ProbeTimeout ? { ...missed, isSilent: true } : missed;
  } finally {
    limit.dispose();
  }
}

async function fetchUrl({ fetch, clock, timeout }: ProbeOptions, address: string): Promise<CheckOutcome> {
  const controller = new AbortController();
  const limit = clock.after(timeout, () => controller.abort(new ProbeTimeout(timeout)));
  try {
    const { url, headers } = remoteAddress(address, {});
    const response = await (await fetch())(url, { headers, redirect: 'manual', signal: controller.signal });
    // Only the status counts; an unread body would keep the connection open.
    await response.body?.cancel().catch(() => undefined);
    if (response.ok) return { kind: 'good', by: 'url' };
    return { kind: 'missed', by: 'url', reason: `it answered with HTTP ${response.status}` };
  } catch (error) {
    return { kind: 'missed', by: 'url', reason: reasonOf(controller.signal.reason ?? error) };
  } finally {
    limit.dispose();
  }
}

class ProbeTimeout extends Error {
  constructor(milliseconds: number) {
    super(`no answer within ${milliseconds / 1000} s`);
  }
}

/** Node's error messages may contain the URL, which may hold a secret; its error codes do not. */
function reasonOf(error: unknown): string {
  if (error instanceof ProbeTimeout) return error.message;
  return `no connection${codeOf(error)}`;
}

function codeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? ` (${code})` : '';
}
