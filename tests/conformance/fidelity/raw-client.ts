import { memberOf } from './fixture/raw-json.mjs';
import type { RawWire } from './wire.ts';

/** The client's raw answer to a server request. */
export type Reply = { readonly result: string } | { readonly error: string };

/** A client that neither parses what it is told nor prints what it says: payloads are compared as they were written. */
export class RawClient implements AsyncDisposable {
  /** Everything that arrived, in order. */
  readonly received: string[] = [];
  /** Answers the server's requests; by default none is known. */
  reply: (method: string, text: string) => Reply | undefined = () => undefined;
  /** Milliseconds to wait for an answer, on a busy machine too. */
  patience = 60_000;
  readonly #wire: RawWire;
  readonly #waiting = new Map<string, (text: string) => void>();
  #nextId = 1;

  constructor(wire: RawWire) {
    this.#wire = wire;
    wire.receive((text) => this.#receive(text));
  }

  /** Resolves with the answer to `initialize`. */
  async greet(capabilities = '{}', name = 'raw-client', version = '2025-11-25'): Promise<string> {
    const info = `{"name":"${name}","version":"1.0.0"}`;
    const answer = await this.ask(
      'initialize',
      `{"protocolVersion":"${version}","capabilities":${capabilities},"clientInfo":${info}}`,
    );
    await this.send('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    return answer;
  }

  /** Resolves with the whole answer as written. `id` is JSON too. */
  async ask(method: string, params?: string, id = String(this.#nextId++)): Promise<string> {
    const answer = this.#answerTo(id, method);
    const rest = params === undefined ? '' : `,"params":${params}`;
    await this.send(`{"jsonrpc":"2.0","id":${id},"method":"${method}"${rest}}`);
    return answer;
  }

  /** Calls a tool; `args` is JSON. */
  call(name: string, args = '{}', id?: string): Promise<string> {
    return this.ask('tools/call', `{"name":${JSON.stringify(name)},"arguments":${args}}`, id);
  }

  send(text: string): Promise<void> {
    return this.#wire.send(text);
  }

  /** Params of the notices of this method so far. */
  notices(method: string): readonly string[] {
    return this.received
      .filter((text) => text.length < 1_000_000 && memberOf(text, 'method') === JSON.stringify(method))
      .map((text) => memberOf(text, 'params') ?? '');
  }

  answersTo(id: string): readonly string[] {
    return this.received.filter(
      (text) =>
        text.length < 1_000_000 && memberOf(text, 'id') === id && memberOf(text, 'method') === undefined,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#wire[Symbol.asyncDispose]();
  }

  #answerTo(id: string, method: string): Promise<string> {
    const answer = new Promise<string>((resolve, reject) => {
      const late = () => reject(new Error(`No answer to ${method} (${id}) in ${this.patience} ms`));
      const timer = setTimeout(late, this.patience);
      this.#waiting.set(id, (text) => {
        clearTimeout(timer);
        resolve(text);
      });
    });
    // If sending fails, nobody waits for the answer any more.
    answer.catch(() => {});
    return answer;
  }

  #receive(text: string): void {
    this.received.push(text);
    // An array answers a batch, which these tests look at themselves.
    if (!text.trimStart().startsWith('{')) return;
    const id = memberOf(text, 'id');
    const method = memberOf(text, 'method');
    if (id === undefined) return;
    if (method !== undefined) {
      this.#answer(id, JSON.parse(method), text);
      return;
    }
    this.#waiting.get(id)?.(text);
    this.#waiting.delete(id);
  }

  #answer(id: string, method: string, text: string): void {
    const said = this.reply(method, text) ?? { error: '{"code":-32601,"message":"Method not found"}' };
    const [[member, payload] = []] = Object.entries(said);
    this.send(`{"jsonrpc":"2.0","id":${id},"${member}":${payload}}`).catch(() => {});
  }
}

/** The text of the first content item of a call's answer. */
export function textOf(answer: string): string {
  const { result } = JSON.parse(answer) as { result?: { content?: readonly { text?: string }[] } };
  const text = result?.content?.[0]?.text;
  if (text === undefined) throw new Error(`No text in ${answer.slice(0, 500)}`);
  return text;
}

/** Result or error of an answer, as written, with the name of the member. */
export function outcomeOf(answer: string): readonly [member: string, payload: string] {
  const error = memberOf(answer, 'error');
  if (error !== undefined && error !== 'null') return ['error', error];
  return ['result', memberOf(answer, 'result') ?? 'missing'];
}
