import { once } from 'node:events';
import { createServer } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { within } from '../../bench/lib/wait.mjs';

/**
 * A model that does what it is told: in each turn of a conversation with tools it calls the tool of the next act, and ends
 * with a sentence. `act.before` happens before its turn is answered. What it was sent is kept, turn by turn: `tools` and
 * the answers to its calls, as text.
 */
export class ScriptedModel {
  #dialect;
  #acts;
  #server;
  turns = [];
  /** Faults of an act that are not the client's. */
  faults = [];

  constructor(dialect, acts) {
    this.#dialect = dialect;
    this.#acts = [...acts];
  }

  async listen() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this.#server.address().port;
  }

  close() {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #serve(request, response) {
    const body = parse(await textOf(request));
    const dialect = this.#dialect;
    if (!dialect.isTurn(request.url, body)) return answerJson(response, dialect.other(request.url, body));
    const say = await this.#next(body);
    const { type, text } = dialect.answer(body, say, this.turns.length);
    response.writeHead(200, { 'content-type': type });
    response.end(text);
  }

  /** Turns without tools are the client's own business, such as finding a title. */
  async #next(body) {
    const tools = this.#dialect.toolsOf(body);
    if (tools.length === 0) return { text: '{"title":"Acts"}' };
    const results = this.#dialect.resultsOf(body);
    // A client may ask once more what it has been answered.
    const last = this.turns.at(-1);
    if (last !== undefined && isDeepStrictEqual(last.results, results) && results.length > 0) return last.say;
    const turn = { tools, results };
    this.turns.push(turn);
    const act = this.#acts.shift();
    turn.say = act === undefined ? { text: 'All acts are done.' } : await this.#perform(act, turn);
    return turn.say;
  }

  async #perform({ before, call, args = {} }, turn) {
    try {
      await within(60_000, `before ${call}`, Promise.resolve(before?.()));
    } catch (error) {
      this.faults.push(error.message);
    }
    return { call: toolNamed(turn.tools, call) ?? call, args };
  }
}

/** The tool of ours as a client calls it, with something before it and other characters in place of some; undefined if it has none. */
export const toolNamed = (tools, name) => tools.find((tool) => plain(tool).endsWith(plain(name)));

const plain = (name) => name.replaceAll(/[^a-z0-9]/gi, '_').toLowerCase();

async function textOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

function answerJson(response, value) {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}
