import { setImmediate as turn } from 'node:timers/promises';
import { delay } from '../../../base/clock.ts';
import { StdioEraTransport } from '../../../transport/modern/stdio-era-transport.ts';
import { isRunner, seemsDownloading } from '../../process/download-detection.ts';
import { type Launched, launch, type StdioTarget } from '../../process/launch.ts';
import { stopTree } from '../../process/tree/stop-tree.ts';
import { childEvidence } from '../diagnosis/child-facts.ts';
import { crashed, exitedBeforeHandshake, handshakeTimeout } from '../diagnosis/failure-problems.ts';
import { type RunOptions, type RunResult, whenAborted } from '../run.ts';
import type { RunEnding } from '../run-ending.ts';
import { isOutdated, knownEra, rememberEra } from './era-memory.ts';
import { hubInitializeParams, type InitializeOutcome, initialize } from './initialize.ts';
import { initializeAfterExit } from './initialize-after-exit.ts';
import { openSession, type Session } from './session.ts';

type Options = RunOptions<StdioTarget>;

/**
 * Runs a local server as a child process, from finding its command to the verified end of its last
 * descendant. A server that quits over the protocol version or the client capabilities is started once more
 * with other `initialize` params.
 */
export async function runStdio(options: Options): Promise<RunResult> {
  const { initializeParams = hubInitializeParams(options.ports.version), log, signal } = options;
  const mayRunAgain = ({ ending, left }: RunResult) =>
    ending.kind === 'early' && left.length === 0 && !signal.aborted;
  const { target, ports } = options;
  const remembered = await runOnce({ ...options, initializeParams });
  const isStateless = isOutdated(options, remembered.ending) && mayRunAgain(remembered);
  if (isStateless)
    log.append('hub', 'The server refuses the sessions it once had. Restarting it to ask for its protocol.');
  const asked = isStateless ? await runOnce({ ...options, initializeParams }) : remembered;
  const hasQuit = mayRunAgain(asked) && asked.isUnasked && target.protocol !== 'modern';
  if (hasQuit) ports.eras.quitWhenAsked(target);
  const isOverQuestion = hasQuit && mayBeOverQuestion(asked.lastOutput);
  if (isOverQuestion)
    log.append('hub', 'The server quit when Patchbay asked for its protocol. Restarting it with sessions.');
  const first = isOverQuestion ? await runOnce({ ...options, initializeParams }) : asked;
  const isOver = !mayRunAgain(first);
  const retry = isOver ? undefined : initializeAfterExit(first.lastOutput, initializeParams);
  if (retry === undefined) return first;
  log.append('hub', retry.message);
  return await runOnce({ ...options, initializeParams: retry.initializeParams });
}

async function runOnce(options: Options): Promise<OneRun> {
  const { ports, target, initializeParams = hubInitializeParams(ports.version) } = options;
  const outcome = await launch(options);
  if (!outcome.ok) return { ending: outcome.ending, left: [], lastOutput: [], isUnasked: false };
  const { launched } = outcome;
  const { clientInfo } = initializeParams;
  const known = knownEra(target, ports.eras);
  const transport = new StdioEraTransport(launched.child.transport, {
    clock: ports.clock,
    known,
    clientInfo,
  });
  const session = openSession(transport, options);
  const ending = await holdConnection(options, launched, session);
  const { exit, stderr, stdout } = launched.facts();
  const lastOutput = exit === undefined ? [] : [...stderr, ...stdout];
  const isUnasked = transport.era === undefined && exit !== undefined && exit.code !== 0;
  return { ending, left: await tearDown(options, launched, session), lastOutput, isUnasked };
}

interface OneRun extends RunResult {
  /** End of the program's output, if it ended by itself. */
  readonly lastOutput: readonly string[];
  /** True if the program failed before it said how it speaks. */
  readonly isUnasked: boolean;
}

/** Tells whether a program may have ended because of the question for its era: by its last words, or none. */
function mayBeOverQuestion(lastOutput: readonly string[]): boolean {
  const words = lastOutput.join('\n').slice(-maxJudgedLength);
  return words.trim() === '' || aboutMessages.test(words);
}

const aboutMessages =
  /server\/discover|initializ|initialis|json-?rpc|unexpected (?:message|request|method)|unknown method/i;
const maxJudgedLength = 16_384;

/** First event of a race. */
type FirstEvent =
  | { readonly kind: 'stopped' | 'gone' }
  | { readonly kind: 'late'; readonly waited: number }
  | Exclude<InitializeOutcome, { kind: 'closed' }>;

async function holdConnection(options: Options, launched: Launched, session: Session): Promise<RunEnding> {
  const { clock } = options.ports;
  const settled = new AbortController();
  const over = Promise.race([whenAborted(options.signal), whenGone(options, launched, session)]);
  const first = await Promise.race([
    over,
    initializeOutcome(options, launched, session, over),
    handshakeTimedOut(options, launched, settled.signal),
  ]);
  settled.abort();
  if (first.kind !== 'greeted') return endingBeforeHandshake(first, launched);
  const connectedAt = clock.uptime();
  void recordFamily(options, launched);
  options.events.connected(session.peer, rememberEra(options, first.handshake));
  const last = await over;
  if (last.kind === 'stopped') return { kind: 'stopped' };
  const problem = crashed(launched.facts());
  options.events.disconnected(problem);
  return { kind: 'lost', problem, connectedFor: clock.uptime() - connectedAt };
}

/** Collects descendants while their parents live: those that leave the group could not be found later. */
async function recordFamily({ ports }: Options, { child, tree }: Launched): Promise<void> {
  await tree.collectFamilySoon();
  const family = tree.family();
  if (family.length > 0) await ports.registry.addFamily(child.pid, family);
}

function endingBeforeHandshake(
  first: Exclude<FirstEvent, { kind: 'greeted' }>,
  launched: Launched,
): RunEnding {
  switch (first.kind) {
    case 'stopped':
      return { kind: 'stopped' };
    case 'gone':
      return { kind: 'early', problem: exitedBeforeHandshake(launched.facts()) };
    case 'late':
      return { kind: 'early', problem: handshakeTimeout(launched.facts(), first.waited) };
    case 'unusable': {
      const { problem } = first;
      return { kind: problem.code === 'server.loop' ? 'refused' : 'early', problem };
    }
  }
}

/**
 * Waits until the program has exited or closed its output, then for its exit code and last output, which are
 * the evidence. Descendants may keep its streams open, but its own output has arrived when its exit is known.
 */
async function whenGone({ ports }: Options, { child }: Launched, session: Session): Promise<FirstEvent> {
  await Promise.race([session.closed, child.exited]);
  await Promise.race([child.exited, delay(ports.clock, exitTimeoutMs)]);
  await Promise.race([child.drained, delay(ports.clock, 500)]);
  // Reads streams that are ready, in case timers fired first.
  await turn();
  return { kind: 'gone' };
}

/** Milliseconds in which a program that closed its output has exited, even on a busy machine. */
const exitTimeoutMs = 5_000;

async function initializeOutcome(
  { ports, target, initializeParams = hubInitializeParams(ports.version) }: Options,
  { facts }: Launched,
  session: Session,
  over: Promise<FirstEvent>,
): Promise<FirstEvent> {
  const evidence = () => childEvidence(facts());
  const outcome = await initialize(session, { initializeParams, evidence, target, clock: ports.clock });
  // The closed connection explains nothing; the exit of the process does.
  return outcome.kind === 'closed' ? over : outcome;
}

/** Waits for the handshake timeout, which is extended while a runner is still downloading. */
async function handshakeTimedOut(
  { ports, target, log }: Options,
  { child, silentMs }: Launched,
  settled: AbortSignal,
): Promise<FirstEvent> {
  const { clock, timing } = ports;
  const startedAt = clock.uptime();
  await delay(clock, timing.handshake, settled);
  const waited = () => clock.uptime() - startedAt;
  while (!settled.aborted && isRunner(target.command) && waited() < timing.handshakeDownloading) {
    if (!(await seemsDownloading(target.command, child.pid, silentMs()))) break;
    log.append('hub', `Still downloading after ${Math.round(waited() / 1000)} s`);
    await delay(clock, Math.min(timing.handshake, timing.handshakeDownloading - waited(), 10_000), settled);
  }
  return { kind: 'late', waited: waited() };
}

async function tearDown(
  { ports }: Options,
  { child, tree, container }: Launched,
  { peer }: Session,
): Promise<readonly number[]> {
  // Rejects all pending requests immediately. Closing the peer also closes stdin, the first step of the stop
  // sequence.
  void peer.close().catch(() => undefined);
  const { clock, timing } = ports;
  const remove = container === undefined ? {} : { removeContainer: container.remove };
  const stopOptions = { clock, step: timing.stopStep, closeStdin: child.closeStdin, ...remove };
  const left = await stopTree(tree, stopOptions);
  // The container may outlive the program that started it, or have been created in its last moment.
  await container?.remove();
  child.release();
  if (left.length === 0) await ports.registry.remove(child.pid);
  return left;
}
