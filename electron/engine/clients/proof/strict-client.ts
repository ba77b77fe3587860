import { scalarText } from '../../../../shared/json.ts';
import { type Clock, delay } from '../../base/clock.ts';
import type { Command } from '../table/entry-shape.ts';
import { type ClientProcess, startClientProcess } from './client-process.ts';
import type { Transcript } from './transcript.ts';

type Message = Readonly<Record<string, unknown>>;

/** The reason why a conversation failed, as a sentence. */
export class ConversationError extends Error {}

/**
 * A strict client: a line on standard output that is not a message ends the conversation, as it does for some
 * clients.
 */
export interface StrictClient {
  /** Resolves to the result. Rejects with {@link ConversationError}. */
  request(method: string, params?: Message): Promise<Message>;
  /** Like {@link request}, with the size of the response. */
  ask(method: string, params: Message | undefined, manner?: RequestOptions): Promise<Answer>;
  notify(method: string): void;
  end(): Promise<boolean>;
}

export interface RequestOptions {
  /** Timeout in milliseconds, within the overall deadline. */
  readonly timeoutMs?: number;
  /** True if the transcript shows only the size of the response. */
  readonly isHidden?: boolean;
}

export interface Answer {
  readonly result: Message;
  readonly bytes: number;
}

export interface StrictClientOptions {
  readonly command: Command;
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly transcript: Transcript;
  /** Time at which the whole conversation must be over. */
  readonly deadline: number;
}

interface PendingRequest {
  readonly isHidden: boolean;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (fault: ConversationError) => void;
}

export async function openStrictClient(options: StrictClientOptions): Promise<StrictClient> {
  const { clock, transcript, deadline } = options;
  const pending = new Map<number, PendingRequest>();
  let fault: ConversationError | undefined;
  const fail = (reason: string) => {
    fault ??= new ConversationError(reason);
    for (const { reject } of pending.values()) reject(fault);
    pending.clear();
  };
  const process: ClientProcess = await startClientProcess({
    ...options,
    onLine: onLine,
    onStderr: (text) => transcript.add('stderr', text),
    onEnd: (reason) => fail(`The program ended (${reason}).`),
  });

  function onLine(line: string): void {
    const message = parse(line);
    const asked =
      message !== undefined && !('method' in message) ? pending.get(Number(message.id)) : undefined;
    transcript.add('got', asked?.isHidden === true ? hiddenText(message, line) : line);
    if (message === undefined) fail('It wrote a line to standard output that is not a message.');
    else if (typeof message.id === 'number' && !('method' in message))
      settleResponse(message.id, message, line);
    else answerRequest(message);
  }

  function settleResponse(id: number, message: Message, line: string): void {
    const asker = pending.get(id);
    pending.delete(id);
    if ('error' in message) asker?.reject(new ConversationError(errorText(message.error)));
    else asker?.resolve({ result: asMessage(message.result), bytes: Buffer.byteLength(line) });
  }

  /** Answers requests from the server; a client without capabilities only supports ping. */
  function answerRequest({ id, method }: Message): void {
    if (id === undefined) return;
    const body =
      method === 'ping' ? { result: {} } : { error: { code: -32601, message: 'Method not found' } };
    send({ jsonrpc: '2.0', id, ...body });
  }

  function send(message: Message): void {
    const line = JSON.stringify(message);
    transcript.add('sent', line);
    process.send(line);
  }

  let lastId = 0;
  async function ask(
    method: string,
    params: Message | undefined,
    manner: RequestOptions = {},
  ): Promise<Answer> {
    const { timeoutMs = Number.POSITIVE_INFINITY, isHidden = false } = manner;
    if (fault !== undefined) throw fault;
    lastId += 1;
    const id = lastId;
    const answered = new Promise<Answer>((resolve, reject) => pending.set(id, { isHidden, resolve, reject }));
    send({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) });
    const timer = new AbortController();
    const late = delay(clock, Math.max(0, Math.min(timeoutMs, deadline - clock.now())), timer.signal).then(
      (): Promise<never> => Promise.reject(new ConversationError(`The request ${method} timed out.`)),
    );
    try {
      return await Promise.race([answered, late]);
    } finally {
      timer.abort();
      pending.delete(id);
    }
  }
  return {
    request: async (method, params) => (await ask(method, params)).result,
    ask,
    notify: (method) => send({ jsonrpc: '2.0', method }),
    end: () => process.end(),
  };
}

function parse(line: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isMessage = typeof value === 'object' && value !== null && 'jsonrpc' in value;
    return isMessage ? (value as Message) : undefined;
  } catch {
    return undefined;
  }
}

/** Errors are shown since they give the reason; results may hold anything. */
function hiddenText(message: Message | undefined, line: string): string {
  if (message === undefined || 'error' in message) return line;
  const size = `(${Buffer.byteLength(line)} bytes, not shown)`;
  return JSON.stringify({ jsonrpc: '2.0', id: message.id, result: size });
}

function asMessage(value: unknown): Message {
  return typeof value === 'object' && value !== null ? (value as Message) : {};
}

function errorText(error: unknown): string {
  const { code, message } = asMessage(error);
  return `It answered with an error: ${scalarText(message)} (${scalarText(code)}).`;
}
