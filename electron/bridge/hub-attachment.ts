import type { Problem } from '../../shared/error/problem.ts';
import type { Clock } from '../engine/base/clock.ts';
import type { Disposable } from '../engine/base/emitter.ts';
import type { RawMessage } from '../engine/jsonrpc/raw-message.ts';
import { toRaw, type WireMessage } from '../engine/jsonrpc/read-message.ts';
import type { Transport } from '../engine/jsonrpc/transport.ts';
import { asProblem, type ConnectionEnd, handshakeRefused } from './bridge-problem.ts';
import { Heartbeat } from './heartbeat.ts';

export interface HubAttachmentOptions {
  readonly clock: Clock;
  readonly onAttached: (transport: Transport) => void;
  /** Called for each message of the attached hub. */
  readonly onMessage: (transport: Transport, message: RawMessage) => void;
  /** Called when the connection has ended, attached or not. */
  readonly onDisconnected: (transport: Transport, end: ConnectionEnd) => void;
  /** Called when a hub is unavailable for a new reason. */
  readonly onRefused: (problem: Problem) => void;
  /** Returns true if the client waits for an answer of this hub. */
  readonly isAwaited: (transport: Transport) => boolean;
  /** Returns true if the client reads so slowly that reading from the hub has stopped. */
  readonly isClientSlow: () => boolean;
  readonly onNoise: (text: string) => void;
}

type State =
  | { readonly kind: 'detached'; readonly refusal?: Problem }
  /** Connected before the client has sent `initialize`. */
  | { readonly kind: 'waiting'; readonly transport: Transport }
  | { readonly kind: 'greeting'; readonly transport: Transport; readonly timer: Disposable }
  | { readonly kind: 'attached'; readonly transport: Transport; readonly pulse: Heartbeat }
  | { readonly kind: 'closed' };

/**
 * Turns a connection to the hub into a session of the client: sends the client's `initialize`, then passes
 * messages on.
 */
export class HubAttachment {
  readonly #options: HubAttachmentOptions;
  /** Params of the client's `initialize`; connections wait for them. */
  #initializeParams: Readonly<Record<string, unknown>> | undefined;
  #state: State = { kind: 'detached' };

  constructor(options: HubAttachmentOptions) {
    this.#options = options;
  }

  /** Transport to the hub; undefined while not attached. */
  get transport(): Transport | undefined {
    return this.#state.kind === 'attached' ? this.#state.transport : undefined;
  }

  /** Last known reason why the hub is unavailable. */
  get refusal(): Problem | undefined {
    return this.#state.kind === 'detached' ? this.#state.refusal : undefined;
  }

  /** Starts watching for an answer of the hub, after a request. */
  expectAnswer(): void {
    if (this.#state.kind === 'attached') this.#state.pulse.expectAnswer();
  }

  /** Accepts a new connection. */
  attach(transport: Transport): void {
    if (this.#state.kind === 'closed') {
      void transport.close();
      return;
    }
    this.#state = { kind: 'waiting', transport };
    const handlers = {
      message: (message: WireMessage) => this.#receive(transport, toRaw(message)),
      noise: this.#options.onNoise,
      closed: () => this.#disconnected(transport, 'gone'),
    };
    transport.start(handlers).then(
      () => {
        if (this.#isCurrent(transport) && this.#state.kind === 'waiting') this.#sendInitialize(transport);
      },
      () => this.#disconnected(transport, 'gone'),
    );
  }

  /** Sets the params of the client's `initialize`. */
  initialize(params: Readonly<Record<string, unknown>>): void {
    this.#initializeParams = params;
    if (this.#state.kind === 'waiting') this.#sendInitialize(this.#state.transport);
  }

  /** Reports that no connection was made; `refusal` is the reason, if known. */
  connectFailed(refusal?: Problem): void {
    if (refusal !== undefined) this.#refuse(refusal);
    else if (this.#state.kind === 'detached') this.#state = { kind: 'detached' };
  }

  close(): void {
    this.#stopTimers();
    if ('transport' in this.#state) void this.#state.transport.close();
    this.#state = { kind: 'closed' };
  }

  #isCurrent(transport: Transport): boolean {
    return 'transport' in this.#state && this.#state.transport === transport;
  }

  #sendInitialize(transport: Transport): void {
    const params = this.#initializeParams;
    if (params === undefined) return;
    const timer = this.#options.clock.after(handshakeTimeoutMs, () => void transport.close());
    this.#state = { kind: 'greeting', transport, timer };
    // A failure shows as the end of the connection.
    transport.send({ jsonrpc: '2.0', id: handshakeId, method: 'initialize', params }).catch(() => {});
  }

  #receive(transport: Transport, message: RawMessage): void {
    if (!this.#isCurrent(transport)) return;
    if (this.#state.kind === 'attached') {
      this.#state.pulse.received();
      this.#options.onMessage(transport, message);
    } else if (this.#state.kind === 'greeting' && message.id === handshakeId) {
      this.#state.timer.dispose();
      this.#finishInitialize(transport, message);
    }
  }

  #finishInitialize(transport: Transport, message: RawMessage): void {
    if (message.kind === 'result') {
      this.#state = { kind: 'attached', transport, pulse: this.#heartbeatFor(transport) };
      this.#options.onAttached(transport);
    } else if (message.error !== undefined) {
      this.#refuse(asProblem(message.error.data) ?? handshakeRefused(message.error.message));
      void transport.close();
      this.#options.onDisconnected(transport, 'gone');
    }
  }

  #heartbeatFor(transport: Transport): Heartbeat {
    const { clock, isAwaited, isClientSlow } = this.#options;
    const ping = { jsonrpc: '2.0', id: pingId, method: 'ping' } as const;
    return new Heartbeat({
      clock,
      isAwaited: () => isAwaited(transport),
      obstacle: () => {
        if (isClientSlow()) return 'deaf';
        return transport.congestion === undefined ? 'none' : 'busy';
      },
      ping: () => void transport.send(ping, undefined, true).catch(() => {}),
      onSilent: () => {
        this.#disconnected(transport, 'silent');
        void transport.close();
      },
    });
  }

  #disconnected(transport: Transport, end: ConnectionEnd): void {
    if (!this.#isCurrent(transport)) return;
    this.#stopTimers();
    this.#state = { kind: 'detached' };
    this.#options.onDisconnected(transport, end);
  }

  #stopTimers(): void {
    if (this.#state.kind === 'greeting') this.#state.timer.dispose();
    if (this.#state.kind === 'attached') this.#state.pulse.stop();
  }

  #refuse(problem: Problem): void {
    if (this.#state.kind === 'closed') return;
    const isNew = this.#state.kind !== 'detached' || this.#state.refusal?.sentence !== problem.sentence;
    this.#state = { kind: 'detached', refusal: problem };
    if (isNew) this.#options.onRefused(problem);
  }
}

/** The client's ids pass unchanged; no client uses these. */
const handshakeId = 'patchbay-bridge:initialize';
const pingId = 'patchbay-bridge:ping';

/**
 * Milliseconds; a hub that accepts a connection and does not answer hangs, and another connection may work.
 */
const handshakeTimeoutMs = 10_000;
