import type { Problem } from '../../shared/error/problem.ts';
import { type BackoffOptions, backoffDelay } from '../engine/base/backoff.ts';
import type { Clock } from '../engine/base/clock.ts';
import type { Disposable } from '../engine/base/emitter.ts';
import type { Transport } from '../engine/jsonrpc/transport.ts';
import { hubSilent } from './bridge-problem.ts';
import type { HubHandshake } from './hub-connection.ts';
import type { Demand } from './hub-starter.ts';

export interface HubLinkOptions {
  readonly connect: (signal: AbortSignal) => Promise<HubHandshake>;
  /**
   * Asks for the hub to be started; called after each failed try while a hub is wanted, so it must limit
   * itself.
   */
  readonly startHub: (demand: Demand) => void;
  /** Returns who waits for the hub: tries are faster then, and the hub is started only then. */
  readonly demand: () => Demand;
  /** Receives a transport that is not started; its new owner reports its end through {@link HubLink.lost}. */
  readonly onConnected: (transport: Transport) => void;
  /** Called after a failed try; with a problem if a hub answered, and another try will not help. */
  readonly onFailed: (refusal?: Problem) => void;
  /**
   * Watches for signs that a hub has started, which saves polling while it is down. Undefined if that is not
   * possible; calls `onLost` if it stops working.
   */
  readonly watch?: (onSign: () => void, onLost: () => void) => Disposable | undefined;
  readonly clock: Clock;
  readonly random?: () => number;
}

/** Finds the hub, and finds it again after a loss, with growing pauses; hands over each connection. */
export interface HubLink {
  start(): void;
  /** Shortens a long pause because somebody waits. */
  retrySoon(): void;
  /** Reports that the last connection has ended. */
  disconnected(): void;
  close(): void;
}

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'connecting'; readonly attempt: number; readonly abort: AbortController }
  | { readonly kind: 'connected'; readonly attempt: number; readonly since: number }
  | { readonly kind: 'waiting'; readonly attempt: number; readonly timer: Disposable }
  | { readonly kind: 'closed' };

export function createHubLink(options: HubLinkOptions): HubLink {
  const { clock } = options;
  let state: State = { kind: 'idle' };
  /** Consecutive connections that were accepted without an answer. */
  let silentConnections = 0;
  /** Active while no hub is connected. */
  let watching: Disposable | undefined;
  /** A sign arrived during a try, which may have started too early. */
  let hasSign = false;

  function connect(attempt: number): void {
    const abort = new AbortController();
    const mine: State = { kind: 'connecting', attempt, abort };
    state = mine;
    hasSign = false;
    options.connect(abort.signal).then(
      (greeting) => {
        if (state === mine) take(greeting, attempt);
        else if (greeting.kind === 'connected') void greeting.transport.close();
      },
      () => {
        if (state !== mine) return;
        silentConnections = 0;
        options.onFailed();
        options.startHub(options.demand());
        waitForSign(attempt + 1);
      },
    );
  }

  function take(greeting: HubHandshake, attempt: number): void {
    silentConnections = greeting.kind === 'silent' ? silentConnections + 1 : 0;
    if (greeting.kind === 'connected') {
      stopWatching();
      state = { kind: 'connected', attempt, since: clock.uptime() };
      options.onConnected(greeting.transport);
    } else {
      options.onFailed(greeting.kind === 'refused' ? greeting.problem : silentProblem());
      wait(attempt + 1);
    }
  }

  /** Reports a silent hub only the second time: a busy one may be late once. */
  function silentProblem(): Problem | undefined {
    return silentConnections > 1 ? hubSilent() : undefined;
  }

  /** Waits for a sign of a hub; tries are only a fallback in case a sign is missed. */
  function waitForSign(attempt: number): void {
    watching ??= options.watch?.(onSign, stopWatching);
    wait(hasSign ? 0 : attempt, watching === undefined ? idlePauses : watchedPauses);
  }

  function wait(attempt: number, pauses = idlePauses): void {
    const chosen = options.demand() === 'now' ? urgentPauses : pauses;
    const timer = clock.after(backoffDelay(chosen, attempt, options.random), () => connect(attempt));
    state = { kind: 'waiting', attempt, timer };
  }

  function onSign(): void {
    hasSign = true;
    hurry();
  }

  function hurry(): void {
    if (state.kind !== 'waiting' || state.attempt === 0) return;
    state.timer.dispose();
    wait(0);
  }

  function stopWatching(): void {
    watching?.dispose();
    watching = undefined;
  }

  return {
    start() {
      if (state.kind === 'idle') connect(0);
    },
    retrySoon: hurry,
    disconnected() {
      if (state.kind !== 'connected') return;
      // A hub that accepts connections and drops them must not be flooded: the pauses are reset only after a
      // lasting one.
      wait(clock.uptime() - state.since >= stableMs ? 0 : state.attempt + 1);
    },
    close() {
      if (state.kind === 'waiting') state.timer.dispose();
      if (state.kind === 'connecting') state.abort.abort();
      stopWatching();
      state = { kind: 'closed' };
    },
  };
}

const urgentPauses: BackoffOptions = { initial: 50, max: 1_000, factor: 1.5, jitter: 0.3 };
const idlePauses: BackoffOptions = { initial: 100, max: 5_000, factor: 1.5, jitter: 0.3 };
const watchedPauses: BackoffOptions = { initial: 100, max: 60_000, factor: 2, jitter: 0.3 };
const stableMs = 5_000;
