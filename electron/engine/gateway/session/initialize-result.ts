import {
  type AdvertisedServer,
  initializeResult,
  negotiateVersion,
} from '../../../../shared/model/client/initialize-result.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/emitter.ts';
import type { CatalogueServer, CatalogueView, ServerListing } from '../../catalogue/contract.ts';
import { capabilitiesOf } from '../../catalogue/listing/list-specs.ts';
import type { RawRequest } from '../../jsonrpc/raw-message.ts';
import { toRaw } from '../../jsonrpc/read-message.ts';
import { hubSessionId } from '../../routing/contract.ts';
import { serverNotGranted, serverSwitchedOff, serverUnavailable } from '../../routing/error-map.ts';
import type { Router } from '../../routing/router.ts';
import type { Caller } from '../../routing/server-requests/contract.ts';
import type { SessionCatalogue } from './catalogue/session-catalogue.ts';
import type { SessionConnection, SessionServices } from './session-contract.ts';

export interface InitializeResultOptions {
  readonly services: SessionServices & SessionConnection;
  readonly catalogue: SessionCatalogue;
  readonly caller: Caller;
  /** Aborts when the session ends. */
  readonly ended: AbortSignal;
}

/**
 * Returns the `initialize` result: of the hub, or of the only server as if connected directly. Rejects with
 * RpcError if the only server is not available.
 */
export function createInitializeResult(
  options: InitializeResultOptions,
  requestedVersion: unknown,
): Promise<unknown> {
  const { only } = options.services;
  return only === undefined
    ? resultOfHub(options, requestedVersion)
    : resultOfServer(options, only, requestedVersion);
}

async function resultOfHub(
  { services, catalogue }: InitializeResultOptions,
  requestedVersion: unknown,
): Promise<unknown> {
  const { identity, advertise = 'all' } = services;
  // Waits because capabilities are known only once servers are listed, and an `initialize` result cannot be
  // corrected later.
  if (advertise === 'offered') await catalogue.lists.ready();
  const servers = catalogue.current.servers.map(toAdvertisedServer);
  return initializeResult({ requestedVersion, identity, servers, advertise });
}

async function resultOfServer(
  options: InitializeResultOptions,
  only: string,
  requestedVersion: unknown,
): Promise<unknown> {
  const listing = await listingOf(options, only);
  const { protocolVersion, serverInfo, instructions } = listing;
  const negotiated = negotiateVersion(requestedVersion);
  // Protocol versions are dates; both sides speak the older one.
  const isOlder = negotiated < protocolVersion;
  return {
    protocolVersion: isOlder ? negotiated : protocolVersion,
    capabilities: capabilitiesOf(listing),
    serverInfo,
    ...(instructions === undefined ? {} : { instructions }),
  };
}

async function listingOf(options: InitializeResultOptions, only: string): Promise<ServerListing> {
  const { services, catalogue, caller, ended } = options;
  const isOnly = ({ key }: CatalogueServer) => key === only;
  const find = () => catalogue.current.servers.find(isOnly);
  if (catalogue.current.off.some(isOnly)) throw serverSwitchedOff(only);
  const hidden = catalogue.full?.catalogue.servers.find(isOnly);
  // A client with no access to a server must not make it start.
  if (find() === undefined && isListed(hidden)) throw serverNotGranted(only);
  if (!isListed(find())) {
    const { ready } = catalogue.lists;
    const { router, clock } = services;
    await reachServer(only, { ready, router, caller, view: () => catalogue.view, ended, clock });
  }
  const server = find();
  if (server === undefined || !isListed(server)) throw serverUnavailable(only);
  return server.offer;
}

/** Checks whether the server has ever been reached, now or by an earlier hub. */
function isListed(server: CatalogueServer | undefined): boolean {
  return server !== undefined && server.offer.protocolVersion !== '';
}

function toAdvertisedServer({ key, offer }: CatalogueServer): AdvertisedServer {
  const { instructions } = offer;
  return {
    key,
    capabilities: capabilitiesOf(offer),
    ...(instructions === undefined ? {} : { instructions }),
  };
}

export interface ReachServerOptions {
  /** Resolves when servers that were never listed have been listed, or have timed out. */
  readonly ready: () => Promise<void>;
  readonly router: Pick<Router, 'call'>;
  readonly caller: Caller;
  readonly view: () => CatalogueView | undefined;
  readonly ended: AbortSignal;
  readonly clock: Clock;
}

/**
 * Resolves when the shared process of a server can be called, not an instance of the session; rejects with
 * RpcError if it cannot.
 */
export async function reachServer(serverKey: string, options: ReachServerOptions): Promise<void> {
  const { ready, router, caller, view: currentView, ended, clock } = options;
  const since = clock.uptime();
  await ready();
  const view = currentView();
  if (view === undefined) return;
  const message = toRaw({ jsonrpc: '2.0', id: 0, method: 'ping' }) as RawRequest;
  const leftMs = Math.max(minWaitMs, maxWaitMs - (clock.uptime() - since));
  const connectBy = clock.now() + leftMs;
  const late = new AbortController();
  let limit = neverDue;
  const check = (restMs: number) => {
    const isListed = hasItems(currentView() ?? view);
    if (isListed || restMs <= 0) limit = clock.after(pingTimeoutMs, () => late.abort());
    else limit = clock.after(checkIntervalMs, () => check(restMs - checkIntervalMs));
  };
  check(leftMs);
  const signal = AbortSignal.any([ended, late.signal]);
  try {
    await router.call({
      sessionId: hubSessionId,
      caller,
      message,
      view,
      serverKey,
      signal,
      onProgress: () => {},
      connectBy,
    });
  } catch (error) {
    // Some servers do not answer pings; what is listed by now counts.
    if (!late.signal.aborted) throw error;
  } finally {
    limit.dispose();
  }
}

/** Maximum wait in milliseconds, so that clients with a timeout of 30 s still get the reason. */
const maxWaitMs = 27_000;

/** Minimum wait in milliseconds, however much time has passed. */
const minWaitMs = 2_000;

/** Milliseconds to wait for the ping once the server is listed, or the time is up. */
const pingTimeoutMs = 5_000;

const checkIntervalMs = 1_000;

const neverDue: Disposable = { dispose: () => {} };

function hasItems({ tools, prompts, resources, resourceTemplates }: CatalogueView): boolean {
  return [tools, prompts, resources, resourceTemplates].some(({ length }) => length > 0);
}
