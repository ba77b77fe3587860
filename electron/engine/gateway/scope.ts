import { type GreetedServer, greet, negotiateVersion } from '../../../shared/model/greeting.ts';
import { chooseProfile } from '../catalogue/client-table.ts';
import type { CatalogueServer, CatalogueView, ClientProfile } from '../catalogue/contract.ts';
import { capabilitiesOf } from '../catalogue/list-specs.ts';
import { serverNotGranted, serverSwitchedOff, serverUnavailable } from '../route/error-map.ts';
import type { Introduction } from './introduction.ts';
import { rawProfileOf } from './one-server-view.ts';
import type { ProfiledCatalogue } from './profiled-catalogue.ts';
import type { SessionConnection, SessionSurroundings } from './session-contract.ts';

/** What a session sees of the hub: all servers under the hub's name, or one server as if directly connected to it. */
export interface Scope {
  /** The one server, where it is one. */
  readonly only?: string;
  profileOf(client: Introduction): ClientProfile;
  view(profile: ClientProfile): CatalogueView;
  /** The result of `initialize`. Rejects with RpcError where the one server cannot be had. */
  greeting(client: Introduction): Promise<unknown>;
  /** Keys of the servers in sight that run calls as tasks. */
  taskServers(): ReadonlySet<string>;
}

type Options = Omit<SessionSurroundings, 'catalogue'> &
  SessionConnection & { readonly catalogue: Pick<ProfiledCatalogue, 'current' | 'whole'> };

/** What a greeting may have to wait for. */
export interface Waiting {
  /** Servers that were never listed have been, or have had their time. */
  ready(): Promise<void>;
  /** The one server can be asked; rejects with RpcError why it cannot. */
  reach(serverKey: string): Promise<void>;
}

export function createScope(options: Options, waiting: Waiting): Scope {
  return options.only === undefined ? wholeHub(options, waiting) : oneServer(options, options.only, waiting);
}

function wholeHub(options: Options, { ready }: Waiting): Scope {
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
    async greeting({ protocolVersion }) {
      const { identity, advertise = 'all' } = options;
      // What servers offer is known once they are; a greeting cannot be corrected later.
      if (advertise === 'offered') await ready();
      const servers = catalogue.current.servers.map(greetedServer);
      return greet({ askedVersion: protocolVersion, identity, servers, advertise });
    },
    taskServers: () => views.taskServers(catalogue.current),
  };
}

function oneServer({ catalogue, views }: Options, only: string, { reach }: Waiting): Scope {
  const isOurs = ({ key }: CatalogueServer) => key === only;
  const found = () => catalogue.current.servers.find(isOurs);

  async function offer() {
    if (catalogue.current.off.some(isOurs)) throw serverSwitchedOff(only);
    const hidden = catalogue.whole?.catalogue.servers.find(isOurs);
    // Nobody makes a server start that they may have nothing of.
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
    async greeting({ protocolVersion: asked }) {
      const found = await offer();
      const { protocolVersion, serverInfo, instructions } = found;
      const spoken = negotiateVersion(asked);
      // Revisions are dates: the older of the two is what both ends speak.
      const isOlder = spoken < protocolVersion;
      return {
        protocolVersion: isOlder ? spoken : protocolVersion,
        capabilities: capabilitiesOf(found),
        serverInfo,
        ...(instructions === undefined ? {} : { instructions }),
      };
    },
    taskServers: () => views.taskServers(catalogue.current),
  };
}

/** A server is listed once it has been reached, now or by an earlier hub. */
function isListed(server: CatalogueServer | undefined): boolean {
  return server !== undefined && server.offer.protocolVersion !== '';
}

function greetedServer({ key, offer }: CatalogueServer): GreetedServer {
  const { instructions } = offer;
  return {
    key,
    capabilities: capabilitiesOf(offer),
    ...(instructions === undefined ? {} : { instructions }),
  };
}
