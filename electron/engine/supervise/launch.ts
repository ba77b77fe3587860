import { type Problem, ProblemError, toProblem } from '../../../shared/error/problem.ts';
import { childIdentity, startedSince } from '../store/process-identity.ts';
import { childEnvironment } from './child-env.ts';
import type { RunContainer } from './containers.ts';
import type { LaunchTarget } from './contract.ts';
import type { ChildFacts } from './failure-problem.ts';
import { markNewRun } from './new-run.ts';
import { createProcessTree, type ProcessTree } from './process-tree.ts';
import { resolveCommand } from './resolve-command.ts';
import type { RunEnding, RunOptions } from './run.ts';
import type { RunMark } from './run-mark.ts';
import { type Child, spawnChild } from './spawn-child.ts';
import type { Program } from './start-process.ts';

export type StdioTarget = Extract<LaunchTarget, { kind: 'stdio' }>;

/** A running child that is in the pid registry, with everything known about it. */
export interface Launched {
  readonly child: Child;
  readonly tree: ProcessTree;
  /** Container started outside of that tree. */
  readonly container?: RunContainer;
  /** Milliseconds since it last wrote to stderr. */
  quietFor(): number;
  facts(): ChildFacts;
}

export type LaunchOutcome =
  | { readonly ok: true; readonly launched: Launched }
  | { readonly ok: false; readonly ending: RunEnding };

/** Finds the command and starts it; never leaves a process behind without an owner. */
export async function launch(options: RunOptions<StdioTarget>): Promise<LaunchOutcome> {
  const { ports, signal, events } = options;
  const mark = await markNewRun();
  const found = await locate(options, mark);
  // Retries with a new environment: the command may have been installed since it was read.
  const sure = found.ok || !(await ports.refreshEnv?.()) ? found : await locate(options, mark);
  if (signal.aborted) return { ok: false, ending: { kind: 'stopped' } };
  if (!sure.ok) return { ok: false, ending: { kind: 'refused', problem: sure.problem } };
  const { file, env, cwd } = sure.place;
  const { args, command, env: entryEnv } = options.target;
  const program = { file, args, env, cwd };
  const container = await ports.containers.prepare({ key: options.key, command, entryEnv, program });
  const since = Date.now();
  try {
    const launched = await start(options, container?.program ?? program, container, {
      runId: mark?.id,
      since,
    });
    events.started({ pid: launched.child.pid, resolvedCommand: sure.place.file });
    await note(options, launched.child.pid, since);
    return { ok: true, launched };
  } catch (error) {
    await container?.remove();
    if (!(error instanceof ProblemError)) throw error;
    return { ok: false, ending: { kind: 'early', problem: toProblem(error) } };
  }
}

/** Resolved program, environment and folder. */
interface Place {
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

type Located =
  | { readonly ok: true; readonly place: Place }
  | { readonly ok: false; readonly problem: Problem };

async function locate(
  { target, ports, written }: RunOptions<StdioTarget>,
  mark: RunMark | undefined,
): Promise<Located> {
  const env = childEnvironment({
    inherited: await ports.env(),
    entry: target.env,
    instanceId: ports.instanceId,
    ...(mark === undefined ? {} : { mark }),
  });
  const cwd = target.cwd ?? ports.defaultCwd;
  const resolved = await resolveCommand(target.command, env, cwd, written?.command);
  return resolved.ok ? { ok: true, place: { file: resolved.file, env, cwd } } : resolved;
}

async function start(
  options: RunOptions<StdioTarget>,
  program: Program,
  container: RunContainer | undefined,
  { runId, since }: { readonly runId: string | undefined; readonly since: number },
): Promise<Launched> {
  const { display, written, log, ports } = options;
  const { file, cwd } = program;
  // Mutable, since they change while this one process runs and ends.
  let heardAt = ports.clock.uptime();
  let exit: ChildFacts['exit'];
  const onStderr = (text: string) => {
    heardAt = ports.clock.uptime();
    log.append('stderr', text);
  };
  const shownCwd = written?.cwd ?? cwd;
  const child = await spawnChild({ program, shownCwd, onStderr });
  void child.exited.then((value) => {
    exit = value;
  });
  return {
    child,
    tree: createProcessTree({
      root: child.pid,
      tables: ports.processes,
      runId,
      identity: startedSince(since),
      holdsRoot: () => exit === undefined,
    }),
    ...(container === undefined ? {} : { container }),
    quietFor: () => ports.clock.uptime() - heardAt,
    facts: () => ({
      command: display,
      resolved: file,
      cwd: shownCwd,
      args: options.target.args,
      stderr: log.tail(linesRead, 'stderr'),
      stdout: log.tail(linesRead, 'stdout'),
      ...(exit === undefined ? {} : { exit }),
    }),
  };
}

/** Enough for a stack trace with the error above it. */
const linesRead = 60;

async function note({ key, ports }: RunOptions, pid: number, since: number): Promise<void> {
  const identity = await childIdentity(pid, since);
  if (identity !== undefined) await ports.ledger.add({ key, pid, identity });
}
