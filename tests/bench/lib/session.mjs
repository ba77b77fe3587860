import { end } from './process.mjs';
import { until, within } from './wait.mjs';

const PATIENCE = 30_000;

/**
 * A target that runs and answers. `own` are the processes whose cost is its cost; `servers`
 * are those it did not start itself.
 * `tool` is what it calls the first server's echo, `wrap` how the call is spelled where it has a way of its own.
 */
export async function openSession(target, servers, options = {}) {
  const running = await target.start(servers, options);
  const session = new Session(target, running);
  try {
    await session.greet();
    await until(PATIENCE, `${target.name}: a first answer`, () => session.proves(), 20);
    return session;
  } catch (error) {
    await session.close();
    throw error;
  }
}

export class Session {
  name;
  client;
  #running;

  constructor(target, running) {
    this.name = target.name;
    this.client = running.client;
    this.#running = running;
  }

  get pids() {
    return this.#running.own.map(({ pid }) => pid);
  }

  async greet() {
    await within(
      PATIENCE,
      `${this.name}: initialize`,
      this.ask('initialize', {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'patchbay-bench', version: '1.0.0' },
      }),
    );
    await this.client.send('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  }

  /** One request outside of any clock; rejects with the error it is answered with. */
  async ask(method, params) {
    const message = this.client.read(await this.client.exchange(bodyOf(method, params)));
    if (message.error !== undefined) throw new Error(message.error.message);
    return message.result;
  }

  /** The bytes of an echo call after its id; a Buffer where they are many. */
  echoBody(text) {
    const { tool, wrap = (name, args) => ({ name, arguments: args }) } = this.#running;
    const body = bodyOf('tools/call', wrap(tool, { text }));
    return body.length > 16_384 ? Buffer.from(body) : body;
  }

  /** Tells whether the answer is the whole echo. */
  async proves(text = 'hello') {
    const answer = await within(5000, 'echo', this.client.exchange(this.echoBody(text)));
    const { result, error } = this.client.read(answer);
    if (error !== undefined) throw new Error(error.message);
    if (result.content?.[0]?.text !== text) throw new Error(JSON.stringify(result).slice(0, 200));
    return true;
  }

  async close() {
    await this.client.close();
    for (const child of [...this.#running.own, ...(this.#running.servers ?? [])]) await end(child);
    await this.#running.tidy?.();
  }
}

export function bodyOf(method, params) {
  return `,"method":${JSON.stringify(method)},"params":${JSON.stringify(params ?? {})}}`;
}
