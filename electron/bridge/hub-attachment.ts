import type { Problem } from '../../shared/error/problem.ts';
import type { Clock } from '../engine/base/clock.ts';
import type { Disposable } from '../engine/base/emitter.ts';
import type { RawMessage } from '../engine/rpc/raw-message.ts';
import { toRaw, type WireMessage } from '../engine/rpc/read-message.ts';
import type { Transport } from '../engine/rpc/transport.ts';
import { asProblem, type ConnectionEnd, handshakeRefused } from './bridge-problem.ts';
import { Heartbeat } from './pulse.ts';

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

/**
 * Turns a connection to the hub into a session of the client: sends the client's `initialize`, then passes
 * messages on.
 */
export interface HubAttachment {
  /** Transport to the hub; undefined while not attached. */
  readonly transport: Transport | undefined;
  /** Last known reason why the hub is unavailable. */
  readonly refusal: Problem | undefined;
  /** Starts watching for an answer of the hub, after a request. */
  expectAnswer(): void;
  /** Accepts a new connection. */
  attach(transport: Transport): void;
  /** Sets the params of the client's `initialize`; connections wait for them. */
  initialize(params: Readonly<Record<string, unknown>>): void;
  /** Reports that no connection was made; `refusal` is the reason, if known. */
  connectFailed(refusal?: Problem): void;
  close(): void;
}

type State =
  | { readonly kind: 'detached'; readonly refusal?: Problem }
  /** Connected before the client has sent `initialize`. */
  | { readonly kind: 'waiting'; readonly transport: Transport }
  | { readonly kind: 'greeting'; readonly transport: Transport; readonly patience: Disposable }
  | { readonly kind: 'attached'; readonly transport: Transport; readonly pulse: Heartbeat }
  | { readonly kind: 'closed' };

export function createHubAttachment(options: HubAttachmentOptions): HubAttachment {
  let initializeParams: Readonly<Record<string, unknown>> | undefined;
  let state: State = { kind: 'detached' };

  const isCurrent = (transport: Transport) => 'transport' in state && state.transport === transport;

  function sendInitialize(transport: Transport, params: Readonly<Record<string, unknown>>): void {
    const patience = options.clock.after(handshakeTimeoutMs, () => void transport.close());
    state = { kind: 'greeting', transport, patience };
    // A failure shows as the end of the connection.
    transport.send({ jsonrpc: '2.0', id: handshakeId, method: 'initialize', params }).catch(() => {});
  }

  function receive(transport: Transport, message: RawMessage): void {
    if (!isCurrent(transport)) return;
    if (state.kind === 'attached') {
      state.pulse.received();
      options.onMessage(transport, message);
    } else if (state.kind === 'greeting' && message.id === handshakeId) {
      state.patience.dispose();
      finishInitialize(transport, message);
    }
  }

  function finishInitialize(transport: Transport, message: RawMessage): void {
    if (message.kind === 'result') {
      state = { kind: 'attached', transport, pulse: heartbeatFor(transport) };
      options.onAttached(transport);
    } else if (message.error !== undefined) {
      refuse(asProblem(message.error.data) ?? handshakeRefused(message.error.message));
      void transport.close();
      options.onDisconnected(transport, 'gone');
    }
  }

  function heartbeatFor(transport: Transport): Heartbeat {
    const ping = { jsonrpc: '2.0', id: pingId, method: 'ping' } as const;
    return new Heartbeat({
      clock: options.clock,
      isAwaited: () => options.isAwaited(transport),
      obstacle: () => {
        if (options.isClientSlow()) return 'deaf';
        return transport.congestion === undefined ? 'none' : 'busy';
      },
      ping: () => void transport.send(ping, undefined, true).catch(() => {}),
      onSilent: () => {
        disconnected(transport, 'silent');
        void transport.close();
      },
    });
  }

  function disconnected(transport: Transport, end: ConnectionEnd): void {
    if (!isCurrent(transport)) return;
    stopTimers();
    state = { kind: 'detached' };
    options.onDisconnected(transport, end);
  }

  function stopTimers(): void {
    if (state.kind === 'greeting') state.patience.dispose();
    if (state.kind === 'attached') state.pulse.stop();
  }

  function refuse(problem: Problem): void {
    if (state.kind === 'closed') return;
    const isNew = state.kind !== 'detached' || state.refusal?.sentence !== problem.sentence;
    state = { kind: 'detached', refusal: problem };
    if (isNew) options.onRefused(problem);
  }

  return {
    get transport() {
      return state.kind === 'attached' ? state.transport : undefined;
    },
    get refusal() {
      return state.kind === 'detached' ? state.refusal : undefined;
    },
    expectAnswer() {
      if (state.kind === 'attached') state.pulse.expectAnswer();
    },
    attach(transport) {
      if (state.kind === 'closed') return void transport.close();
      state = { kind: 'waiting', transport };
      const handlers = {
        message: (message: WireMessage) => receive(transport, toRaw(message)),
        noise: options.onNoise,
        closed: () => disconnected(transport, 'gone'),
      };
      transport.start(handlers).then(
        () => {
          if (isCurrent(transport) && state.kind === 'waiting' && initializeParams !== undefined)
            sendInitialize(transport, initializeParams);
        },
        () => disconnected(transport, 'gone'),
      );
    },
    initialize(params) {
      initializeParams = params;
      if (state.kind === 'waiting') sendInitialize(state.transport, params);
    },
    connectFailed(refusal) {
      if (refusal !== undefined) refuse(refusal);
      else if (state.kind === 'detached') state = { kind: 'detached' };
    },
    close() {
      stopTimers();
      if ('transport' in state) void state.transport.close();
      state = { kind: 'closed' };
    },
  };
}

/** The client's ids pass unchanged; no client uses these. */
const handshakeId = 'patchbay-bridge:initialize';
const pingId = 'patchbay-bridge:ping';

/**
 * Milliseconds; a hub that accepts a connection and does not answer hangs, and another connection may work.
 */
const handshakeTimeoutMs = 10_000;
