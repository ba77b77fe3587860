import { type Problem, ProblemError } from '../../../../../shared/error/problem.ts';
import {
  ancestorsHeader,
  ancestorsVariable,
  extendAncestors,
} from '../../../../../shared/model/server/loop.ts';
import { delay } from '../../../base/clock.ts';
import type { RpcError } from '../../../jsonrpc/message.ts';
import { createHttpClientTransport } from '../../../transport/http-client/http-client-transport.ts';
import {
  accessProblem,
  EraChangedError,
  ReconnectError,
  refusesAccess,
} from '../../../transport/http-client/http-problem.ts';
import { keyRefusalInError } from '../../../transport/http-client/key-header.ts';
import { isLoopback } from '../../../transport/http-client/proxy-rule.ts';
import { newStreamMemory } from '../../../transport/http-client/session-stream.ts';
import type { LaunchTarget } from '../../server-config.ts';
import { unreachable } from '../diagnosis/failure-problems.ts';
import { type RunOptions, type RunResult, stopped, whenAborted } from '../run.ts';
import type { RunEnding } from '../run-ending.ts';
import { isOutdated, knownEra, rememberEra } from './era-memory.ts';
import { hasCredentials } from './has-credentials.ts';
import { hubInitializeParams, initialize } from './initialize.ts';
import { openSession, type Session } from './session.ts';

type RemoteTarget = Exclude<LaunchTarget, { kind: 'stdio' }>;

type Options = RunOptions<RemoteTarget>;

/** Holds a connection to a remote server until it breaks or is ended. */
export async function runRemote(options: Options): Promise<RunResult> {
  const remembered = await connectOnce(options);
  const isStateless = isOutdated(options, remembered.ending) && !options.signal.aborted;
  return isStateless ? connectOnce(options) : remembered;
}

async function connectOnce(options: Options): Promise<RunResult> {
  const { key, target, ports } = options;
  const { kind, explicit, url, oauth } = target;
  const env = await ports.env();
  const headers = requestHeaders(options, env);
  // Credentials in the config take precedence over signing in.
  const authorization = hasCredentials(headers, url)
    ? undefined
    : ports.authorize?.({ key, url, ...(oauth === undefined ? {} : { options: oauth }) });
  const sessionStream = ports.sessionStreams.get(url) ?? newStreamMemory();
  ports.sessionStreams.set(url, sessionStream);
  const transport = createHttpClientTransport({
    url,
    headers,
    kind,
    isExplicit: explicit,
    isReconnect: options.isRetry ?? false,
    sessionStream,
    env,
    clock: ports.clock,
    eraProbe: {
      known: knownEra(target, ports.eras),
      isFixed: target.protocol === 'legacy',
      clientInfo: (options.initializeParams ?? hubInitializeParams(ports.version)).clientInfo,
    },
    ...(authorization === undefined ? {} : { authorization }),
  });
  const session = openSession(transport, options);
  const ending = await holdConnection(options, session, headers);
  // Not awaited: closing a session on a server that does not respond must not delay the next step.
  void session.peer.close().catch(() => undefined);
  return { ending, left: [] };
}

async function holdConnection(
  options: Options,
  session: Session,
  headers: Readonly<Record<string, string>>,
): Promise<RunEnding> {
  const { signal, ports, display, events, target } = options;
  const { clock, timing, version } = ports;
  const { initializeParams = hubInitializeParams(version) } = options;
  const settled = new AbortController();
  const aborted = whenAborted(signal);
  events.started({});
  const first = await Promise.race([
    aborted,
    initialize(session, { initializeParams, evidence: () => ({ address: display }), target, clock }),
    delay(clock, timing.handshake, settled.signal).then(() => ({ kind: 'late' }) as const),
  ]);
  settled.abort();
  if (first.kind === 'stopped') return stopped;
  if (first.kind === 'late') {
    const reason = `no answer within ${Math.round(timing.handshake / 1000)} s`;
    return { kind: 'unreachable', problem: unreachable(display, reason), connectedFor: 0 };
  }
  if (first.kind === 'closed') return endingOf(first.reason, display, 0);
  if (first.kind === 'unusable') return missingKey(options, headers, first.error) ?? unusable(first.problem);
  const handshake = rememberEra(options, first.handshake);
  const connectedAt = clock.uptime();
  events.connected(session.peer, handshake);
  const last = await Promise.race([aborted, session.closed]);
  if (last === stopped) return stopped;
  const reason = last instanceof Error ? last : undefined;
  if (findProblem(reason) instanceof EraChangedError) ports.eras.forget(target);
  return endingOf(reason, display, clock.uptime() - connectedAt);
}

/** Some servers answer HTTP 200 with an error that says a key is required. */
function missingKey(
  { target: { url } }: Options,
  headers: Readonly<Record<string, string>>,
  error: RpcError | undefined,
): RunEnding | undefined {
  const key = error && keyRefusalInError(error.message, headers);
  if (error === undefined || key === undefined) return undefined;
  const problem = accessProblem(new URL(url), { status: 200, words: error.message, key });
  return { kind: 'unauthorized', problem };
}

function unusable(problem: Problem): RunEnding {
  return { kind: problem.code === 'server.loop' ? 'refused' : 'early', problem };
}

function endingOf(reason: Error | undefined, display: string, connectedFor: number): RunEnding {
  const known = findProblem(reason);
  const problem = known?.problem ?? unreachable(display, reason?.message);
  if (refusesAccess(problem)) return { kind: 'unauthorized', problem };
  // The config is unusable as it is; a retry would change nothing.
  if (problem.code === 'config.invalid_schema') return { kind: 'refused', problem };
  if (known instanceof ReconnectError) return { kind: 'session-over', problem, connectedFor };
  return { kind: 'unreachable', problem, connectedFor };
}

/** Finds the transport's problem among the causes of the peer's error. */
function findProblem(error: unknown): ProblemError | undefined {
  if (error instanceof ProblemError) return error;
  return error instanceof Error ? findProblem(error.cause) : undefined;
}

/** Tells a local server which hubs are above it, so that a hub that is reached through itself can refuse. */
function requestHeaders(
  { target, ports }: Options,
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  if (!URL.canParse(target.url) || !isLoopback(new URL(target.url).hostname)) return target.headers;
  const marker = extendAncestors(env[ancestorsVariable], ports.instanceId);
  return { ...target.headers, [ancestorsHeader]: marker };
}
