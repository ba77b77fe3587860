import { type Problem, ProblemError, toProblem } from '../../../../shared/error/problem.ts';
import { childIdentity, identitySince } from '../../store/files/process-identity.ts';
import { childEnvironment } from '../environment/child-env.ts';
import { resolveCommand } from '../environment/resolve-command.ts';
import type { ChildFacts } from '../lifecycle/diagnosis/child-facts.ts';
import type { RunOptions } from '../lifecycle/run.ts';
import type { RunEnding } from '../lifecycle/run-ending.ts';
import type { LaunchTarget } from '../server-config.ts';
import type { ServerContainer } from './containers/containers.ts';
import { createProcessTag } from './orphans/create-process-tag.ts';
import type { ProcessTag } from './orphans/process-tag.ts';
import type { Program } from './program.ts';
import { type Child, spawnChild } from './spawn-child.ts';
import type { ProcessTree } from './tree/contract.ts';
import { createProcessTree } from './tree/process-tree.ts';

export type StdioTarget = Extract<LaunchTarget, { kind: 'stdio' }>;

/** A running child that is in the pid registry, with everything known about it. */
export interface Launched {
  readonly child: Child;
  readonly tree: ProcessTree;
  /** Container started outside of that tree. */
  readonly container?: ServerContainer;
  /** Milliseconds since it last wrote to stderr. */
  silentMs(): number;
  facts(): ChildFacts;
}

export type LaunchOutcome =
  | { readonly ok: true; readonly launched: Launched }
  | { readonly ok: false; readonly ending: RunEnding };

/** Finds the command and starts it; never leaves a process behind without an owner. */
export async function launch(options: RunOptions<StdioTarget>): Promise<LaunchOutcome> {
  const { ports, signal, events } = options;
  const tag = await createProcessTag();
  const firstLookup = await locate(options, tag);
  // Retries with a new environment: the command may have been installed since it was read.
  const located = firstLookup.ok || !(await ports.refreshEnv?.()) ? firstLookup : await locate(options, tag);
  if (signal.aborted) return { ok: false, ending: { kind: 'stopped' } };
  if (!located.ok) return { ok: false, ending: { kind: 'refused', problem: located.problem } };
  const { file, env, cwd } = located.program;
  const { args, command, env: entryEnv } = options.target;
  const program = { file, args, env, cwd };
  const container = await ports.containers.prepare({ key: options.key, command, entryEnv, program });
  const since = Date.now();
  try {
    const launched = await start(options, container?.program ?? program, container, {
      runId: tag?.id,
      since,
    });
    events.started({ pid: launched.child.pid, resolvedCommand: located.program.file });
    await register(options, launched.child.pid, since);
    return { ok: true, launched };
  } catch (error) {
    await container?.remove();
    if (!(error instanceof ProblemError)) throw error;
    return { ok: false, ending: { kind: 'early', problem: toProblem(error) } };
  }
}

/** Resolved program, environment and folder. */
interface ResolvedProgram {
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

type Located =
  | { readonly ok: true; readonly program: ResolvedProgram }
  | { readonly ok: false; readonly problem: Problem };

async function locate(
  { target, ports, written }: RunOptions<StdioTarget>,
  tag: ProcessTag | undefined,
): Promise<Located> {
  const env = childEnvironment({
    inherited: await ports.env(),
    entry: target.env,
    instanceId: ports.instanceId,
    ...(tag === undefined ? {} : { tag }),
  });
  const cwd = target.cwd ?? ports.defaultCwd;
  const resolved = await resolveCommand(target.command, env, cwd, written?.command);
  return resolved.ok ? { ok: true, program: { file: resolved.file, env, cwd } } : resolved;
}

async function start(
  options: RunOptions<StdioTarget>,
  program: Program,
  container: ServerContainer | undefined,
  { runId, since }: { readonly runId: string | undefined; readonly since: number },
): Promise<Launched> {
  const { display, written, log, ports } = options;
  const { file, cwd } = program;
  // Mutable, since they change while this one process runs and ends.
  let lastOutputAt = ports.clock.uptime();
  let exit: ChildFacts['exit'];
  const onStderr = (text: string) => {
    lastOutputAt = ports.clock.uptime();
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
      tagId: runId,
      identity: identitySince(since),
      isRootChild: () => exit === undefined,
    }),
    ...(container === undefined ? {} : { container }),
    silentMs: () => ports.clock.uptime() - lastOutputAt,
    facts: () => ({
      command: display,
      resolved: file,
      cwd: shownCwd,
      args: options.target.args,
      stderr: log.tail(maxLines, 'stderr'),
      stdout: log.tail(maxLines, 'stdout'),
      ...(exit === undefined ? {} : { exit }),
    }),
  };
}

/** Enough for a stack trace with the error above it. */
const maxLines = 60;

async function register({ key, ports }: RunOptions, pid: number, since: number): Promise<void> {
  const identity = await childIdentity(pid, since);
  if (identity !== undefined) await ports.registry.add({ key, pid, identity });
}
