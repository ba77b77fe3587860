import { ProblemError, problem, toProblem } from '../../../../shared/error/problem.ts';
import { scalarText } from '../../../../shared/json.ts';
import type { ConnectProof } from '../../../../shared/model/client/connect.ts';
import { proofMember } from '../../../../shared/model/client/proof.ts';
import type { Clock } from '../../base/clock.ts';
import type { Command } from '../table/entry-shape.ts';
import { harmlessTool } from './harmless-tool.ts';
import { type NameRule, nameViolation, toolCapWarning } from './name-rule.ts';
import { ConversationError, openStrictClient, type StrictClient } from './strict-client.ts';
import { createTranscript, type Transcript } from './transcript.ts';

export interface ProofOptions {
  readonly file: string;
  /** Returns the command from the file; rejects if it is not there. */
  readonly read: () => Promise<Command>;
  readonly env: Readonly<Record<string, string>>;
  /** The name it sends in `clientInfo`. */
  readonly clientName: string;
  readonly rule: NameRule;
  readonly clock: Clock;
}

type Step = ConnectProof['steps'][number];
type Tool = Readonly<Record<string, unknown>>;

/**
 * Milliseconds for the whole test without stopping the program, and for the single call: a sleeping server
 * may have to start for it.
 */
const timeoutMs = 20_000;
const callTimeoutMs = 12_000;

/**
 * Starts the written entry, talks to it as its client would, and stops it. Errors are part of the outcome.
 */
export async function prove(options: ProofOptions): Promise<ConnectProof> {
  const run = new ProofRun(options);
  try {
    await run.run();
    return { ok: true, ...run.outcome() };
  } catch (failure) {
    const outcome = run.outcome();
    return { ok: false, ...outcome, problem: failedProof(failure, outcome) };
  }
}

type Outcome = Omit<ConnectProof, 'ok' | 'problem'>;

class ProofRun {
  readonly #options: ProofOptions;
  readonly #startedAt: number;
  readonly #transcript: Transcript;
  readonly #steps: Step[] = [];
  #found: Pick<Outcome, 'command' | 'tools' | 'called'> = { command: '' };

  constructor(options: ProofOptions) {
    this.#options = options;
    this.#startedAt = options.clock.now();
    this.#transcript = createTranscript(() => this.#since());
  }

  outcome(): Outcome {
    const { lines } = this.#transcript;
    const times = { at: this.#startedAt, milliseconds: this.#since() };
    return { ...times, file: this.#options.file, ...this.#found, steps: this.#steps, transcript: lines };
  }

  async run(): Promise<void> {
    const command = await this.#step('read', async () => [
      await this.#options.read(),
      'Read the entry from the file.',
    ]);
    this.#found = { command: [command.command, ...command.args].join(' ') };
    const client = await this.#step('start', () => this.#start(command));
    try {
      await this.#converse(client);
    } finally {
      await this.#step('end', async () => {
        if (await client.end()) return [undefined, 'Stopped cleanly.'];
        throw new ConversationError('The bridge did not stop when asked to.');
      });
    }
  }

  async #start(command: Command): Promise<readonly [StrictClient, string]> {
    const { clock } = this.#options;
    const env = { ...this.#options.env, ...command.env };
    const deadline = this.#startedAt + timeoutMs;
    const client = await openStrictClient({ command, env, clock, transcript: this.#transcript, deadline });
    return [client, `Started with ${Object.keys(env).length} environment variables.`];
  }

  async #converse(client: StrictClient): Promise<void> {
    const { clientName, rule } = this.#options;
    await this.#step('handshake', async () => [undefined, await initialize(client, clientName)]);
    const tools = await this.#step('list', async () => {
      const listed = await listTools(client);
      return [listed, `${listedText(listed.length)}${toolCapWarning(listed.length, rule)}`];
    });
    this.#found = { ...this.#found, tools: tools.length };
    await this.#step('names', async () => {
      const names = tools.map(({ name }) => name);
      const fault = nameViolation(names, rule);
      if (fault !== undefined) throw new ConversationError(fault);
      return [undefined, 'All tool names are valid for this client.'];
    });
    const called = await this.#step('call', () => callHarmless(client, tools));
    this.#found = { ...this.#found, called };
  }

  async #step<T>(step: Step['step'], task: () => Promise<readonly [T, string]>): Promise<T> {
    const begun = this.#since();
    const note = (ok: boolean, text: string) =>
      void this.#steps.push({ step, ok, text, milliseconds: this.#since() - begun });
    try {
      const [value, text] = await task();
      note(true, text);
      return value;
    } catch (error) {
      note(false, reasonOf(error));
      throw error;
    }
  }

  #since(): number {
    return this.#options.clock.now() - this.#startedAt;
  }
}

async function initialize(client: StrictClient, clientName: string): Promise<string> {
  const { serverInfo, protocolVersion } = await client.request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: clientName, version: '1.0.0' },
  });
  client.notify('notifications/initialized');
  const { name, version } = (serverInfo ?? {}) as { readonly name?: unknown; readonly version?: unknown };
  return `${scalarText(name)} ${scalarText(version)} answered, using protocol ${scalarText(protocolVersion)}.`;
}

function listedText(count: number): string {
  if (count === 0) return 'No tools are listed yet.';
  return count === 1 ? '1 tool was listed.' : `${count} tools were listed.`;
}

async function listTools(client: StrictClient): Promise<readonly Tool[]> {
  const tools: Tool[] = [];
  let cursor: unknown;
  do {
    const page = await client.request('tools/list', cursor === undefined ? {} : { cursor });
    if (!Array.isArray(page.tools)) throw new ConversationError('The tool list it returned is not a list.');
    tools.push(...page.tools);
    cursor = page.nextCursor;
  } while (typeof cursor === 'string');
  return tools;
}

/** A failing server behind the tool is not a failing connection: a ping tells them apart. */
async function callHarmless(
  client: StrictClient,
  tools: readonly Tool[],
): Promise<readonly [string, string]> {
  const name = harmlessTool(tools);
  if (name === undefined) {
    await client.request('ping');
    return [
      'ping',
      tools.length === 0
        ? 'Patchbay answered a ping. Test again once a server is connected.'
        : 'Patchbay answered a ping. No tool was called: none is read-only and needs no arguments.',
    ];
  }
  try {
    const params = { name, arguments: {}, _meta: { [proofMember]: true } };
    const { result, bytes } = await client.ask('tools/call', params, {
      timeoutMs: callTimeoutMs,
      isHidden: true,
    });
    const how = result.isError === true ? ' with an error' : '';
    return [name, `Called ${name}: it answered${how} (${bytes} bytes). The result is not stored.`];
  } catch (error) {
    await client.request('ping');
    return ['ping', `Patchbay answered a ping, but the call of ${name} failed: ${reasonOf(error)}`];
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof ProblemError) return error.problem.sentence;
  return error instanceof Error ? error.message : String(error);
}

function failedProof(failure: unknown, outcome: Pick<ConnectProof, 'file' | 'command' | 'transcript'>) {
  if (failure instanceof ProblemError) return toProblem(failure);
  const stderr = outcome.transcript.filter(({ direction }) => direction === 'stderr').slice(-5);
  return problem(
    'client.proof_failed',
    `The test failed: ${reasonOf(failure)}`,
    'See the transcript for the cause, then test again or undo.',
    {
      file: outcome.file,
      command: outcome.command,
      stderr: stderr.length === 0 ? undefined : stderr.map(({ text }) => text).join('\n'),
    },
  );
}
