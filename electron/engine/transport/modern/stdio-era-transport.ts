import { modernVersion } from '../../../../shared/model/mcp.ts';
import { type Clock, delay } from '../../base/clock.ts';
import { type JsonRpcId, rpcErrorCodes } from '../../jsonrpc/message.ts';
import { toOwnId } from '../../jsonrpc/message-kind.ts';
import type { RawMessage } from '../../jsonrpc/raw-message.ts';
import { toRaw, type WireMessage } from '../../jsonrpc/read-message.ts';
import type { Transport, TransportHandlers } from '../../jsonrpc/transport.ts';
import { discoverRequest, type ProbeVerdict, probeId, readProbe } from './discover.ts';
import { type EraVerdict, type LegacyEra, legacyEra, modernEra } from './era.ts';
import { namesModernOnly } from './era-watch.ts';
import { ServerTranslator } from './server/server-translator.ts';

export interface StdioEraOptions {
  readonly clock: Clock;
  /** Verdict known before the start; the server is asked if it is undefined. */
  readonly known: LegacyEra | undefined;
  readonly clientInfo: Readonly<Record<string, unknown>>;
}

/**
 * A local server of either era, as a session-based one. The child is asked for its era before anything else
 * is sent; one that does not answer in time, or with anything else, is session-based.
 */
export class StdioEraTransport implements Transport {
  readonly #inner: Transport;
  readonly #options: StdioEraOptions;
  readonly #closed = new AbortController();
  #state: State = { kind: 'idle' };

  constructor(inner: Transport, options: StdioEraOptions) {
    this.#inner = inner;
    this.#options = options;
  }

  /** Undefined before the start, and for a server that ended over the question. */
  get era(): EraVerdict | undefined {
    return 'verdict' in this.#state ? this.#state.verdict : undefined;
  }

  async start(handlers: TransportHandlers): Promise<void> {
    const { known } = this.#options;
    await this.#inner.start({
      ...handlers,
      message: (message, relatedTo) => this.#receive(message, handlers, relatedTo),
      closed: (reason) => {
        this.#closeTranslator();
        this.#closed.abort();
        // An end caused by the question is reported once the start is over, like any other end of a program.
        if (this.#state.kind === 'asking') setImmediate(() => handlers.closed(reason));
        else handlers.closed(reason);
      },
    });
    if (known === undefined) await this.#probe(handlers);
    else this.#state = { kind: 'legacy', verdict: known };
  }

  send(message: WireMessage, relatedTo?: JsonRpcId, urgent?: boolean): Promise<void> {
    const state = this.#state;
    if (state.kind === 'modern') return state.translator.send(message);
    if (state.kind === 'silent' && toRaw(message).method === 'initialize')
      this.#state = { ...state, initialize: message };
    return this.#inner.send(message, relatedTo, urgent);
  }

  get congestion(): Promise<void> | undefined {
    return this.#inner.congestion;
  }

  withdraw(message: WireMessage): boolean {
    return this.#inner.withdraw?.(message) ?? false;
  }

  close(): Promise<void> {
    this.#closeTranslator();
    return this.#inner.close();
  }

  #closeTranslator(): void {
    if (this.#state.kind === 'modern') this.#state.translator.close();
  }

  async #probe(handlers: TransportHandlers): Promise<void> {
    let found = await this.#ask(modernVersion);
    if (found?.era === 'other') found = await this.#ask(found.version);
    // A program that has ended over the question has no era.
    if (this.#closed.signal.aborted) return;
    if (found === undefined) this.#state = { kind: 'silent', verdict: legacyEra(silentReason) };
    else this.#take(found, handlers);
  }

  #take(found: ProbeVerdict, handlers: TransportHandlers): void {
    if (found.era !== 'modern') {
      const reason = found.era === 'legacy' ? found.reason : `it supports only ${found.version}`;
      this.#state = { kind: 'legacy', verdict: legacyEra(reason) };
      return;
    }
    const { version, discover } = found;
    const translator = new ServerTranslator({
      clock: this.#options.clock,
      version,
      discover,
      send: (message) => this.#inner.send(message),
      deliver: (message, relatedTo) => handlers.message(message, relatedTo),
      lost: (id, reason) => handlers.requestLost?.(id, reason),
    });
    this.#state = { kind: 'modern', verdict: modernEra(version), translator };
  }

  /** Resolves with undefined if the server is silent, or gone. */
  async #ask(version: string): Promise<ProbeVerdict | undefined> {
    const settled = new AbortController();
    const signal = AbortSignal.any([settled.signal, this.#closed.signal]);
    const answered = new Promise<RawMessage>((resolve) => {
      this.#state = { kind: 'asking', onAnswer: resolve };
    });
    // A failure to send shows as the end of the connection.
    await this.#inner
      .send(discoverRequest(probeId, this.#options.clientInfo, version))
      .catch(() => undefined);
    const late = delay(this.#options.clock, probeTimeoutMs, signal).then(() => undefined);
    const answer = await Promise.race([answered, late]);
    settled.abort();
    return answer && readProbe(answer);
  }

  #receive(wire: WireMessage, handlers: TransportHandlers, relatedTo: JsonRpcId | undefined): void {
    const state = this.#state;
    if (state.kind === 'legacy') {
      handlers.message(wire, relatedTo);
      return;
    }
    const message = toRaw(wire);
    const id = toOwnId(message.id);
    if (state.kind === 'modern') {
      // A server that was slow to start may answer both probes.
      if (id !== probeId || !isResponse(message)) state.translator.receive(message);
      return;
    }
    const isAnswer = isResponse(message);
    if (state.kind === 'asking' && isAnswer && (id === probeId || id === undefined)) {
      state.onAnswer(message);
      return;
    }
    if (state.kind === 'silent' && isAnswer && id === probeId) {
      this.#takeLate(message, state, handlers);
      return;
    }
    if (state.kind === 'silent' && isAnswer) {
      if (state.refusal === undefined && mayHaveNoSessions(message)) {
        this.#state = { ...state, refusal: { message: wire, relatedTo } };
        this.#probeAgain();
        return;
      }
      // Any other answer of a silent server to `initialize` shows that it has sessions.
      this.#state = { kind: 'legacy', verdict: state.verdict };
    }
    handlers.message(wire, relatedTo);
  }

  /** Asks a server again that may have lost the first probe while it started. */
  #probeAgain(): void {
    const again = discoverRequest(probeId, this.#options.clientInfo);
    // A failure to send shows as the end of the connection.
    void this.#inner.send(again).catch(() => undefined);
  }

  /** Handles the answer of a server that was slow to start; `initialize` was sent in the meantime. */
  #takeLate(answer: RawMessage, silent: Silent, handlers: TransportHandlers): void {
    const { initialize, refusal, verdict } = silent;
    const found = readProbe(answer);
    if (found.era === 'modern') {
      this.#take(found, handlers);
      if (initialize !== undefined && this.#state.kind === 'modern')
        void this.#state.translator.send(initialize);
    } else if (refusal !== undefined) {
      this.#state = { kind: 'legacy', verdict };
      handlers.message(refusal.message, refusal.relatedTo);
    }
  }
}

function isResponse({ kind }: RawMessage): boolean {
  return kind === 'result' || kind === 'failure';
}

/** Tells whether an answer to `initialize` may be that of a server without sessions. */
function mayHaveNoSessions({ error }: RawMessage): boolean {
  return error?.code === rpcErrorCodes.methodNotFound || namesModernOnly(error);
}

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'asking'; readonly onAnswer: (answer: RawMessage) => void }
  | Silent
  | { readonly kind: 'legacy'; readonly verdict: EraVerdict }
  | { readonly kind: 'modern'; readonly verdict: EraVerdict; readonly translator: ServerTranslator };

/** Taken for session-based because it did not answer in time, which it may still do. */
interface Silent {
  readonly kind: 'silent';
  readonly verdict: EraVerdict;
  readonly initialize?: WireMessage;
  /** Answer to `initialize`, kept until the server has answered a second probe. */
  readonly refusal?: { readonly message: WireMessage; readonly relatedTo: JsonRpcId | undefined };
}

/** Milliseconds in which a modern server answers `server/discover`. */
const probeTimeoutMs = 4_000;
const silentReason = `it did not answer server/discover in ${probeTimeoutMs / 1000} s`;
