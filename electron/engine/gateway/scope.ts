import { type AdvertisedServer, initializeResult, negotiateVersion } from '../../../shared/model/greeting.ts';
import { chooseProfile } from '../catalogue/client-table.ts';
import type { CatalogueServer, CatalogueView, ClientProfile } from '../catalogue/contract.ts';
import { capabilitiesOf } from '../catalogue/list-specs.ts';
import { serverNotGranted, serverSwitchedOff, serverUnavailable } from '../route/error-map.ts';
import type { ClientInitializeParams } from './introduction.ts';
import { rawProfileOf } from './one-server-view.ts';
import type { VisibleCatalogue } from './profiled-catalogue.ts';
import type { SessionConnection, SessionServices } from './session-contract.ts';

/**
 * The part of the hub that a session sees: all servers under the hub's name, or one server as if connected
 * directly.
 */
export interface SessionScope {
  /** Key of the only server, if it is one. */
  readonly only?: string;
  profileOf(client: ClientInitializeParams): ClientProfile;
  view(profile: ClientProfile): CatalogueView;
  /** Returns the `initialize` result. Rejects with RpcError if the only server is not available. */
  initializeResult(client: ClientInitializeParams): Promise<unknown>;
  /** Keys of the visible servers that support tasks. */
  taskServers(): ReadonlySet<string>;
}

type Options = Omit<SessionServices, 'catalogue'> &
  SessionConnection & { readonly catalogue: Pick<VisibleCatalogue, 'current' | 'whole'> };

/** The waits that may precede an `initialize` result. */
export interface ScopeWaits {
  /** Resolves when servers that were never listed have been listed, or have timed out. */
  ready(): Promise<void>;
  /** Resolves when the only server can be called; rejects with RpcError if it cannot. */
  reach(serverKey: string): Promise<void>;
}

export function createSessionScope(options: Options, waits: ScopeWaits): SessionScope {
  return options.only === undefined
    ? allServersScope(options, waits)
    : oneServerScope(options, options.only, waits);
}

function allServersScope(options: Options, { ready }: ScopeWaits): SessionScope {
  const { catalogue, views, programDefault, askedStyle } = options;
  const whole = () => catalogue.whole;
  return {
    profileOf: ({ name }) =>
      chooseProfile({
        clientName: name,
        programDefault,
        ...(askedStyle === undefined ? {} : { asked: askedStyle }),
      }),
    view: (profile) => views.of(catalogue.current, profile, whole),
    async initializeResult({ protocolVersion }) {
      const { identity, advertise = 'all' } = options;
      // Waits because capabilities are known only once servers are listed, and an `initialize` result cannot
      // be corrected later.
      if (advertise === 'offered') await ready();
      const servers = catalogue.current.servers.map(toGreetedServer);
      return initializeResult({ requestedVersion: protocolVersion, identity, servers, advertise });
    },
    taskServers: () => views.taskServers(catalogue.current),
  };
}

function oneServerScope({ catalogue, views }: Options, only: string, { reach }: ScopeWaits): SessionScope {
  const isOurs = ({ key }: CatalogueServer) => key === only;
  const found = () => catalogue.current.servers.find(isOurs);

  async function offer() {
    if (catalogue.current.off.some(isOurs)) throw serverSwitchedOff(only);
    const hidden = catalogue.whole?.catalogue.servers.find(isOurs);
    // A client with no access to a server must not make it start.
    if (found() === undefined && isListed(hidden)) throw serverNotGranted(only);
    if (!isListed(found())) await reach(only);
    const server = found();
    if (server === undefined || !isListed(server)) throw serverUnavailable(only);
    return server.offer;
  }

  return {
    only,
    profileOf: ({ name }) => rawProfileOf(name),
    view: (profile) => views.ofServer(catalogue.current, only, profile),
    async initializeResult({ protocolVersion: requested }) {
      const found = await offer();
      const { protocolVersion, serverInfo, instructions } = found;
      const negotiated = negotiateVersion(requested);
      // Protocol versions are dates; both sides speak the older one.
      const isOlder = negotiated < protocolVersion;
      return {
        protocolVersion: isOlder ? negotiated : protocolVersion,
        capabilities: capabilitiesOf(found),
        serverInfo,
        ...(instructions === undefined ? {} : { instructions }),
      };
    },
    taskServers: () => views.taskServers(catalogue.current),
  };
}

/** Checks whether the server has ever been reached, now or by an earlier hub. */
function isListed(server: CatalogueServer | undefined): boolean {
  return server !== undefined && server.offer.protocolVersion !== '';
}

function toGreetedServer({ key, offer }: CatalogueServer): AdvertisedServer {
  const { instructions } = offer;
  return {
    key,
    capabilities: capabilitiesOf(offer),
    ...(instructions === undefined ? {} : { instructions }),
  };
}
