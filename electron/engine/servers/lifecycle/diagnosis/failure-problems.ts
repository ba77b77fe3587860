import { type Problem, ProblemError, problem } from '../../../../../shared/error/problem.ts';
import { protocolVersions } from '../../../../../shared/model/mcp.ts';
import { packageRunnerTitle } from '../../../../../shared/model/server/starting.ts';
import type { ConnectionClosedError } from '../../../jsonrpc/message.ts';
import type { ServerConfig } from '../../server-config.ts';
import { type ChildFacts, childEvidence, describeExit, type Evidence, endLabel } from './child-facts.ts';
import { diagnose } from './diagnose.ts';
import type { Diagnosis } from './output-rows.ts';

/** Problem of a server that ended, or closed its stdout, before it answered `initialize`. */
export function exitedBeforeHandshake(facts: ChildFacts): Problem {
  const how = facts.exit === undefined ? 'closed its output' : 'quit';
  const shown = facts.exit === undefined ? '' : ` (${describeExit(facts.exit)})`;
  return diagnosed(
    problem(
      'server.exited_before_handshake',
      `The server ${how} right after starting${shown}.`,
      'Check its command and arguments; its log may say more.',
      childEvidence(facts),
    ),
    diagnose(facts, 'start'),
  );
}

function timeoutFix({ command, stderr }: ChildFacts): string {
  const fetcher = stderr.length === 0 ? packageRunnerTitle(command.split(' ')[0] ?? '') : undefined;
  return fetcher === undefined
    ? 'Check that the command starts an MCP server over stdio.'
    : `${fetcher} may still be downloading the package. Check your network connection, then try again.`;
}

export function handshakeTimeout(facts: ChildFacts, milliseconds: number): Problem {
  const seconds = Math.round(milliseconds / 1000);
  const within = `within ${seconds > 0 ? `${seconds} seconds` : `${milliseconds} ms`} of starting`;
  const [sentence, fix] =
    facts.stdout.length === 0
      ? [`No response ${within}.`, timeoutFix(facts)]
      : [
          `The program wrote to its output, but sent no MCP message ${within}.`,
          'Check that it is an MCP server. Each message must be one line of JSON, and nothing else may go to its output.',
        ];
  return diagnosed(
    problem('server.handshake_timeout', sentence, fix, childEvidence(facts)),
    diagnose(facts, 'waiting'),
  );
}

/** Replaces sentence and fix by those of a known cause. */
function diagnosed(base: Problem, diagnosis: Diagnosis | undefined): Problem {
  if (diagnosis === undefined) return base;
  const { code, subject, sentence, fix } = diagnosis;
  const cause = { code, ...(subject === undefined ? {} : { subject }) };
  return { ...base, sentence, fix, cause };
}

/** Problem of a server that answered `initialize` with something unusable. */
export function handshakeFailed(reason: string, evidence: Evidence): Problem {
  return problem(
    'server.handshake_failed',
    `The server sent an unusable answer to its first request: ${reason}`,
    'Update the server. If it is up to date, report this to its author.',
    evidence,
  );
}

/** Problem of a server whose entry says that it is stateless; `reason` is the clause of its era. */
export function notStateless(reason: string, evidence: Evidence): Problem {
  return problem(
    'server.handshake_failed',
    `The config says that this server is stateless, but ${reason}.`,
    'Remove "protocol" from its config so that Patchbay detects it, or update the server.',
    evidence,
  );
}

/** Problem of a server whose entry says that it has sessions, which it has not. */
export function onlyStateless(evidence: Evidence): Problem {
  return problem(
    'server.handshake_failed',
    'The config says that this server has sessions, but it is stateless.',
    'Remove "protocol" from its config so that Patchbay detects it.',
    evidence,
  );
}

/** Problem of a server that has sessions at one time, and none at another. */
export function eraKeepsChanging(times: number): Problem {
  return problem(
    'server.nonconforming',
    `The server keeps changing between having sessions and being stateless: ${times} times in ten minutes.`,
    'Copies of different versions may share its address. Finish the update, or send all requests to one version.',
  );
}

/** Problem of a server that agreed to an unknown protocol version, or named none; it may still work. */
export function unknownVersion(version: string | undefined): Problem {
  const named =
    version === undefined
      ? 'names no protocol version'
      : `uses protocol version ${version}, which Patchbay does not know`;
  return problem(
    'server.nonconforming',
    `The server ${named}. It is used anyway.`,
    'If something does not work, update the server or Patchbay.',
    { 'known versions': protocolVersions.join(', ') },
  );
}

/** Problem of an entry whose type names the wrong HTTP transport. */
export function wrongTransport(actual: 'http' | 'sse'): Problem {
  const [name, stated] = actual === 'http' ? ['Streamable HTTP', 'sse'] : ['SSE', 'http'];
  return problem(
    'server.nonconforming',
    `This server speaks ${name}, but its type is ${stated}.`,
    `Change its type to ${actual}.`,
  );
}

/** Problem of a server that refused a notification. */
export function notificationRefused(method: string, refusal: ConnectionClosedError): Problem {
  const why = refusal.cause instanceof ProblemError ? refusal.cause.problem : undefined;
  return problem(
    'server.nonconforming',
    `The server refused ${method}, but is used anyway. ${why?.sentence ?? refusal.message}`,
    "You can ignore this while its tools work. If they do not, report it to the server's author.",
    Object.fromEntries(why?.evidence.map(({ label, value }) => [label, value]) ?? []),
  );
}

/** Problem of a server that accepted `initialize` only without the client capabilities. */
export function capabilitiesRefused(names: readonly string[], refusal: unknown): Problem {
  const error = refusal instanceof Error ? refusal : undefined;
  const why = error?.cause instanceof ProblemError ? error.cause.problem.sentence : error?.message;
  return problem(
    'server.nonconforming',
    `The server refused the client capabilities (${names.join(', ')}), and is used without them.`,
    'You can ignore this while its tools work. If a tool needs one of them, restart or update the server.',
    { 'it refused with': why },
  );
}

/** Problem of a remote server that does not answer, or no longer does. */
export function unreachable(display: string, reason: string | undefined): Problem {
  return problem(
    'server.unreachable',
    `The server at ${display} does not answer.`,
    'Check the address and the network.',
    { address: display, reason },
  );
}

/** Problem of a server that ended while connected. */
export function crashed(facts: ChildFacts): Problem {
  const how = facts.exit === undefined ? 'closed its output' : 'crashed';
  const shown = facts.exit === undefined ? '' : ` (${describeExit(facts.exit)})`;
  return diagnosed(
    problem(
      'server.crashed',
      `The server ${how} while it was in use${shown}.`,
      'Check its log; the last lines usually say why.',
      childEvidence(facts),
    ),
    diagnose(facts, 'use'),
  );
}

/** Tells whether two starts failed in the same way, whatever the time of the attempt. */
export function isSameFailure(one: Problem, other: Problem): boolean {
  const isCertain = one.code === 'server.exited_before_handshake' || one.code === 'server.handshake_failed';
  return isCertain && one.code === other.code && exitOf(one) === exitOf(other);
}

function exitOf({ evidence }: Problem): string | undefined {
  return evidence.find(({ label }) => label === endLabel)?.value;
}

export function keepsFailing(times: number, last: Problem): Problem {
  return {
    ...last,
    code: 'server.keeps_failing',
    sentence: `${last.sentence} That was failure ${times} in a row, so Patchbay retries only now and then.`,
  };
}

/** Adds to a problem what restarts a server that is no longer retried. */
export function withRestartHint(
  problem: Problem,
  { revival = defaultRestartHint }: Pick<ServerConfig, 'revival'>,
): Problem {
  return { ...problem, fix: `${problem.fix} ${revival}` };
}

const defaultRestartHint =
  'Patchbay tries again when you change its config, click Try now, or run "patchbay restart" with its name.';

/** Problem of a changed config whose server could not be started beside the running one. */
export function updateFailed(problem: Problem): Problem {
  if (!possibleConflicts.has(problem.code)) return problem;
  const fix =
    'If it cannot run twice at the same time (it needs a port or a lock file), end the old one and start the new config.';
  return { ...problem, fix: `${problem.fix} ${fix}` };
}

const possibleConflicts: ReadonlySet<Problem['code']> = new Set([
  'server.exited_before_handshake',
  'server.handshake_timeout',
  'server.handshake_failed',
  'server.crashed',
]);

/** Problem of an updated server that connected but did not answer the list requests. */
export function updateSilent(milliseconds: number): Problem {
  const within = `within ${Math.round(milliseconds / 1000)} s`;
  return problem(
    'server.list_failed',
    `The server started with the changed config, but did not list its tools ${within}.`,
    'Check its log. Fix the config, or start it anyway.',
  );
}

/** Problem of a call while the hub is shutting down. */
export function draining(key: string): Problem {
  return problem(
    'call.draining',
    `Patchbay is shutting down and sends no more calls to "${key}".`,
    'Try again after Patchbay has restarted.',
    { server: key },
  );
}

export function stopFailed(pids: readonly number[], command: string): Problem {
  return problem(
    'server.stop_failed',
    'The server could not be stopped; some of its processes are still running.',
    'End them yourself, or restart the computer. Until then the server cannot start again.',
    { command, 'still running': pids.join(', ') },
  );
}
