import type { Problem } from '../../../shared/error/problem.ts';
import { problem } from '../../../shared/error/problem.ts';

/** How a child process ended. */
export interface ChildExit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** What is known about a child when something about it fails. */
export interface ChildFacts {
  /** Safe to show. */
  readonly command: string;
  readonly resolved?: string;
  readonly cwd?: string;
  readonly exit?: ChildExit;
  /** The end of its stderr. */
  readonly stderr: readonly string[];
  /** The end of what it wrote to its stdout that is no message. */
  readonly stdout: readonly string[];
}

export type Evidence = Readonly<Record<string, string | undefined>>;

/** Facts in the order a person asks for them. */
export function childEvidence(facts: ChildFacts): Evidence {
  return {
    command: facts.command,
    'resolved file': facts.resolved,
    folder: facts.cwd,
    'ended with': facts.exit === undefined ? undefined : describeExit(facts.exit),
    'last stderr lines': facts.stderr.length === 0 ? '(nothing)' : lines(facts.stderr),
    'last stdout lines': facts.stdout.length === 0 ? undefined : lines(facts.stdout),
  };
}

function lines(texts: readonly string[]): string {
  return texts
    .map((text) => (text.length > longestLine ? `${text.slice(0, longestLine)}…` : text))
    .join('\n');
}

const longestLine = 400;

function describeExit({ code, signal }: ChildExit): string {
  return signal === null ? `exit code ${code}` : `signal ${signal}`;
}

/** It ended, or closed its stdout, before it had answered `initialize`. */
export function exitedBeforeHandshake(facts: ChildFacts): Problem {
  const how = facts.exit === undefined ? 'closed its output' : `ended with ${describeExit(facts.exit)}`;
  return problem(
    'server.exited_before_handshake',
    `The server ${how} before it had answered its first request.`,
    'Read its last lines; usually an argument, a variable or a package is missing or wrong.',
    childEvidence(facts),
  );
}

export function handshakeTimeout(facts: ChildFacts, milliseconds: number): Problem {
  const within = `within ${Math.round(milliseconds / 100) / 10} s`;
  if (facts.stdout.length === 0) {
    const sentence = `The server did not answer its first request ${within}.`;
    const fix = 'Check that the command starts an MCP server over stdio.';
    return problem('server.handshake_timeout', sentence, fix, childEvidence(facts));
  }
  return problem(
    'server.handshake_timeout',
    `The server wrote to its stdout, but no message that answers its first request, ${within}.`,
    'Each message must be one line of JSON without a byte order mark, and nothing else may go to stdout; see its last lines.',
    childEvidence(facts),
  );
}

/** It answered `initialize`, but not in a way a connection can be built on. */
export function handshakeFailed(reason: string, evidence: Evidence): Problem {
  return problem(
    'server.handshake_failed',
    `The server answered its first request with something unusable: ${reason}`,
    'Update the server; if it is current, report this to whoever makes it.',
    evidence,
  );
}

/** A server elsewhere did not answer, or stopped answering. */
export function unreachable(display: string, reason: string | undefined): Problem {
  return problem(
    'server.unreachable',
    `The server at ${display} does not answer.`,
    'Check the address and the network; it is tried again by itself.',
    { address: display, reason },
  );
}

/** It ended while connected. */
export function crashed(facts: ChildFacts): Problem {
  const how = facts.exit === undefined ? 'closed its output' : `ended with ${describeExit(facts.exit)}`;
  return problem(
    'server.crashed',
    `The server ${how} while it was in use.`,
    'Read its last lines; they usually say why.',
    childEvidence(facts),
  );
}

export function keepsFailing(times: number, last: Problem): Problem {
  return {
    code: 'server.keeps_failing',
    sentence: `The server failed ${times} times in a row and is not started again. The last time: ${last.sentence}`,
    fix: `${last.fix} Then restart it.`,
    evidence: last.evidence,
  };
}

export function stopFailed(pids: readonly number[], command: string): Problem {
  return problem(
    'server.stop_failed',
    'The server could not be ended; some of its processes still run.',
    'End them by hand or restart the computer; the server is not started again before that.',
    { command, 'still running': pids.join(', ') },
  );
}
