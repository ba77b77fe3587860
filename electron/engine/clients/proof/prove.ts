import { ProblemError, problem, toProblem } from '../../../../shared/error/problem.ts';
import type { ConnectProof } from '../../../../shared/model/connect.ts';
import type { Clock } from '../../base/clock.ts';
import type { Command } from '../table/entry-shape.ts';
import { capNote, harmlessTool, type NameRule, nameFault } from './name-rule.ts';
import { ConversationFault, openStrictClient, type StrictClient } from './strict-client.ts';
import { createTranscript } from './transcript.ts';

export interface ProofOptions {
  readonly file: string;
  /** The command as it stands in the file; rejects where it does not. */
  readonly read: () => Promise<Command>;
  readonly env: Readonly<Record<string, string>>;
  /** What it introduces itself as. */
  readonly clientName: string;
  readonly rule: NameRule;
  readonly clock: Clock;
}

type Step = ConnectProof['steps'][number];
type Tool = Readonly<Record<string, unknown>>;

/** Milliseconds for all of it but the end of the program; and for the one call, a server asleep may have to start for it. */
const longest = 20_000;
const callPatience = 12_000;

/** Starts the written entry, talks to it as its client would, and ends it. Whatever goes wrong is the outcome. */
export async function prove(options: ProofOptions): Promise<ConnectProof> {
  const { clock, file } = options;
  const startedAt = clock.now();
  const since = () => clock.now() - startedAt;
  const transcript = createTranscript(since);
  const steps: Step[] = [];
  const found: { command: string; tools?: number; called?: string } = { command: '' };
  const step = async <T>(name: Step['step'], task: () => Promise<readonly [T, string]>): Promise<T> => {
    const begun = clock.now();
    const note = (ok: boolean, text: string) =>
      void steps.push({ step: name, ok, text, milliseconds: clock.now() - begun });
    try {
      const [value, text] = await task();
      note(true, text);
      return value;
    } catch (error) {
      note(false, reasonOf(error));
      throw error;
    }
  };

  async function converse(client: StrictClient): Promise<void> {
    await step('handshake', async () => [undefined, await shakeHands(client, options.clientName)]);
    const tools = await step('list', async () => {
      const listed = await listTools(client);
      found.tools = listed.length;
      return [listed, `${listed.length} tools were listed.${capNote(listed.length, options.rule)}`];
    });
    await step('names', async () => {
      const fault = nameFault(
        tools.map(({ name }) => name),
        options.rule,
      );
      if (fault !== undefined) throw new ConversationFault(fault);
      return [undefined, 'This client takes every name in the list.'];
    });
    found.called = await step('call', () => callHarmless(client, tools));
  }

  async function run(): Promise<void> {
    const command = await step('read', async () => {
      const read = await options.read();
      found.command = [read.command, ...read.args].join(' ');
      return [read, 'The entry was read from the file.'];
    });
    const client = await step('start', async () => {
      const env = { ...options.env, ...command.env };
      const deadline = startedAt + longest;
      const opened = await openStrictClient({ command, env, clock, transcript, deadline });
      return [opened, `It started, with ${Object.keys(env).length} variables in its environment.`];
    });
    try {
      await converse(client);
    } finally {
      await step('end', async () => {
        if (await client.end()) return [undefined, 'It ended, with all it had started.'];
        throw new ConversationFault('It did not end when it was told to.');
      });
    }
  }

  const failure = await run().then(
    () => undefined,
    (error: unknown) => error,
  );
  const outcome = {
    at: startedAt,
    milliseconds: since(),
    file,
    ...found,
    steps,
    transcript: transcript.lines,
  };
  if (failure === undefined) return { ok: true, ...outcome };
  return { ok: false, ...outcome, problem: proofProblem(failure, outcome) };
}

async function shakeHands(client: StrictClient, clientName: string): Promise<string> {
  const { serverInfo, protocolVersion } = await client.request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: clientName, version: '1.0.0' },
  });
  client.notify('notifications/initialized');
  const { name, version } = (serverInfo ?? {}) as { readonly name?: unknown; readonly version?: unknown };
  return `${String(name)} ${String(version)} answered, in protocol ${String(protocolVersion)}.`;
}

async function listTools(client: StrictClient): Promise<readonly Tool[]> {
  const tools: Tool[] = [];
  let cursor: unknown;
  do {
    const page = await client.request('tools/list', cursor === undefined ? {} : { cursor });
    if (!Array.isArray(page.tools)) throw new ConversationFault('Its list of tools is no list.');
    tools.push(...page.tools);
    cursor = page.nextCursor;
  } while (typeof cursor === 'string');
  return tools;
}

/** A server behind the tool that fails is not the connection that fails: a ping tells them apart. */
async function callHarmless(
  client: StrictClient,
  tools: readonly Tool[],
): Promise<readonly [string, string]> {
  const name = harmlessTool(tools);
  if (name === undefined) {
    await client.request('ping');
    return ['ping', 'A ping was answered. No tool says that it changes nothing and needs no arguments.'];
  }
  try {
    const { isError } = await client.request('tools/call', { name, arguments: {} }, callPatience);
    return [name, `${name} was called and answered${isError === true ? ' that it failed' : ''}.`];
  } catch (error) {
    await client.request('ping');
    return ['ping', `A ping was answered. ${name} was not: ${reasonOf(error)}`];
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof ProblemError) return error.problem.sentence;
  return error instanceof Error ? error.message : String(error);
}

function proofProblem(failure: unknown, outcome: Pick<ConnectProof, 'file' | 'command' | 'transcript'>) {
  if (failure instanceof ProblemError) return toProblem(failure);
  const stderr = outcome.transcript.filter(({ direction }) => direction === 'stderr').slice(-5);
  return problem(
    'client.proof_failed',
    `The entry was written, but it does not work yet: ${reasonOf(failure)}`,
    'Look at the transcript, correct what it tells, and prove it again; or undo the entry.',
    {
      file: outcome.file,
      command: outcome.command,
      stderr: stderr.length === 0 ? undefined : stderr.map(({ text }) => text).join('\n'),
    },
  );
}
