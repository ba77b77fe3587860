import { type Problem, ProblemError } from '../../../shared/error/problem.ts';
import { ancestorsHeader, ancestorsVariable, extendAncestors } from '../../../shared/model/loop.ts';
import { delay } from '../base/clock.ts';
import { createHttpClientTransport } from '../transport/http-client-transport.ts';
import type { LaunchTarget } from './contract.ts';
import { unreachable } from './failure-problem.ts';
import { greet } from './handshake.ts';
import { type RunEnding, type RunOptions, type RunResult, stopped, whenAborted } from './run.ts';
import { openSession, type Session, toConnection } from './session.ts';

type RemoteTarget = Exclude<LaunchTarget, { kind: 'stdio' }>;

type Options = RunOptions<RemoteTarget>;

/** Holds a connection to a server elsewhere until it breaks or is ended. */
export async function runRemote(options: Options): Promise<RunResult> {
  const { kind, explicit, url } = options.target;
  const headers = await requestHeaders(options);
  const { clock } = options.ports;
  const transport = createHttpClientTransport({ url, headers, kind, explicit, clock });
  const session = openSession(transport, options);
  const ending = await live(options, session);
  // Not waited for: saying goodbye to a server that does not answer must not delay what comes next.
  void session.peer.close().catch(() => undefined);
  return { ending, left: [] };
}

async function live(options: Options, session: Session): Promise<RunEnding> {
  const { signal, ports, display, events } = options;
  const { clock, timing, version } = ports;
  const settled = new AbortController();
  const aborted = whenAborted(signal);
  events.started({});
  const first = await Promise.race([
    aborted,
    greet(session, version, () => ({ address: display })),
    delay(clock, timing.handshake, settled.signal).then(() => ({ kind: 'late' }) as const),
  ]);
  settled.abort();
  if (first.kind === 'stopped') return stopped;
  if (first.kind === 'late') {
    const reason = `no answer within ${Math.round(timing.handshake / 1000)} s`;
    return { kind: 'unreachable', problem: unreachable(display, reason), connectedFor: 0 };
  }
  if (first.kind === 'closed') return broken(first.reason, display, 0);
  if (first.kind === 'unusable') return unusable(first.problem);
  const connectedAt = clock.now();
  events.connected(toConnection(session.peer, first.handshake));
  const last = await Promise.race([aborted, session.closed]);
  if (last === stopped) return stopped;
  return broken(last instanceof Error ? last : undefined, display, clock.now() - connectedAt);
}

function unusable(problem: Problem): RunEnding {
  return { kind: problem.code === 'server.loop' ? 'refused' : 'early', problem };
}

function broken(reason: Error | undefined, display: string, connectedFor: number): RunEnding {
  const problem = findProblem(reason) ?? unreachable(display, reason?.message);
  if (problem.code === 'server.unauthorized') return { kind: 'unauthorized', problem };
  return { kind: 'unreachable', problem, connectedFor };
}

/** What the transport knows may be the cause of what the peer reports. */
function findProblem(error: unknown): Problem | undefined {
  if (error instanceof ProblemError) return error.problem;
  return error instanceof Error ? findProblem(error.cause) : undefined;
}

/** A server on this machine is told who is above it, so that a hub that is reached through itself can refuse. */
async function requestHeaders({ target, ports }: Options): Promise<Readonly<Record<string, string>>> {
  if (!isLoopback(target.url)) return target.headers;
  const env = await ports.env();
  const marker = extendAncestors(env[ancestorsVariable], ports.instanceId);
  return { ...target.headers, [ancestorsHeader]: marker };
}

function isLoopback(url: string): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  return host === 'localhost' || host === '[::1]' || host.startsWith('127.');
}
