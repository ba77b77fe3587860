import { hubUnreachable } from '../../electron/bridge/bridge-problem.ts';
import { createHubLink } from '../../electron/bridge/hub-link.ts';
import type { StartFailure } from '../../electron/bridge/hub-starter.ts';
import type { Offline } from '../../electron/bridge/offline.ts';
import { runRelay } from '../../electron/bridge/relay.ts';
import { chooseProfile } from '../../electron/engine/catalogue/client-facts.ts';
import type { CatalogueStore } from '../../electron/engine/catalogue/contract.ts';
import { itemsOf } from '../../electron/engine/catalogue/view/list-answer.ts';
import { createView } from '../../electron/engine/catalogue/view/view.ts';
import {
  createSessionRegistry,
  type SessionRegistry,
} from '../../electron/engine/gateway/session/session-registry.ts';
import type { Transport } from '../../electron/engine/jsonrpc/transport.ts';
import type { Router } from '../../electron/engine/routing/router.ts';
import { createMemoryTransportPair } from '../../electron/engine/transport/memory-transport.ts';
import type { Problem } from '../../shared/error/problem.ts';
import { hubIdentity, initializeResult } from '../../shared/model/client/initialize-result.ts';
import { FakeClock } from './fake-clock.ts';
import { RawClient, surroundings } from './gateway.ts';

export interface RelayBench {
  readonly clock: FakeClock;
  readonly client: RawClient;
  /** Lets a hub of this catalogue be found. */
  up(): void;
  /** Ends the hub as a kill does: calls in progress get no answer. */
  down(): void;
  refuse(problem: Problem | undefined): void;
  /** Lets starts fail, or no more. */
  fail(failure: StartFailure | undefined): void;
  /** Stops the hub's process as a signal does, or lets it go on: meanwhile it hears nothing and says nothing. */
  freeze(isFrozen: boolean): void;
  /** The client says nothing any more. */
  leave(): void;
  /** Sessions of the hub that runs now. */
  hub(): SessionRegistry | undefined;
  /** Tries to connect, and requests to start the hub, so far. */
  readonly counts: { tries: number; starts: number; ends: number };
  readonly notes: string[];
}

/** A relay between a raw client and a real hub's sessions, all in memory and in fake time. */
export async function relayBench(options: {
  readonly catalogue: CatalogueStore;
  readonly router: Pick<Router, 'call' | 'calls'>;
  /** The catalogue on disk; none by default. */
  readonly cached?: CatalogueStore;
}): Promise<RelayBench> {
  const clock = new FakeClock();
  const counts = { tries: 0, starts: 0, ends: 0 };
  const notes: string[] = [];
  const links: Transport[] = [];
  let running: SessionRegistry | undefined;
  let refusal: Problem | undefined;
  let failure: StartFailure | undefined;
  let isFrozen = false;
  let isLeaving = false;
  const [ours, theirs] = createMemoryTransportPair();

  const connect = async () => {
    counts.tries += 1;
    if (refusal !== undefined) return { kind: 'refused' as const, problem: refusal };
    if (running === undefined) throw new Error('no hub');
    if (isFrozen) return { kind: 'silent' as const };
    const [hubSide, bridgeSide] = createMemoryTransportPair();
    links.push(hubSide);
    void running.open({ transport: hubSide, via: 'bridge', bridge: { version: '1' } });
    return {
      kind: 'connected' as const,
      transport: freezable(bridgeSide, () => isFrozen),
      version: '1',
      pid: 1,
    };
  };

  await runRelay({
    client: ours,
    offline: offlineFrom(options.cached),
    link: (handlers) =>
      createHubLink({
        ...handlers,
        connect,
        startHub: (wish) => {
          if (wish !== 'none') counts.starts += 1;
        },
        clock,
        random: () => 0.5,
      }),
    absence: {
      failure: () => (failure?.isFinal ? failure.problem : undefined),
      reason: () => failure?.problem,
      explain: async (waited) => hubUnreachable('/somewhere/hub.sock', waited),
    },
    clock,
    note: (text) => void notes.push(text),
    isLeaving: () => isLeaving,
    onEnd: () => {
      counts.ends += 1;
    },
  });
  const client = await new RawClient(theirs).open();
  return {
    clock,
    client,
    counts,
    notes,
    up() {
      const { catalogue, router } = options;
      running ??= createSessionRegistry(surroundings({ catalogue, router, clock }));
    },
    down() {
      running = undefined;
      for (const link of links.splice(0)) void link.close();
    },
    refuse(problem) {
      refusal = problem;
    },
    fail(found) {
      failure = found;
    },
    freeze(frozen) {
      isFrozen = frozen;
    },
    leave() {
      isLeaving = true;
    },
    hub: () => running,
  };
}

function freezable(transport: Transport, isFrozen: () => boolean): Transport {
  return {
    start: ({ message, ...handlers }) =>
      transport.start({ ...handlers, message: (received) => void (isFrozen() || message(received)) }),
    send: (message) => (isFrozen() ? Promise.resolve() : transport.send(message)),
    close: () => transport.close(),
  };
}

function offlineFrom(cached: CatalogueStore | undefined): Offline {
  return {
    greeting: async (askedVersion) =>
      initializeResult({
        requestedVersion: askedVersion,
        identity: hubIdentity('1.2.3'),
        servers: [],
        advertise: 'all',
      }),
    list: async (method, clientName) => {
      if (cached === undefined) return undefined;
      const profile = chooseProfile({ clientName, programDefault: 'safe' });
      const view = createView(cached.current, profile);
      return { items: itemsOf(view, method), isWhole: view.isComplete };
    },
  };
}
