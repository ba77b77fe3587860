import { protocolVersions } from '../mcp.ts';
import type { NameStyle } from './client.ts';

/** Server info that the hub reports to clients. */
export interface HubIdentity {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
}

/** Identity of the hub; its bridges report it too. */
export function hubIdentity(version: string): HubIdentity {
  return { name: 'patchbay', title: 'Patchbay', version };
}

/** Default name style for unknown clients: most pass names on to a model API that accepts no others. */
export const hubNameStyle: NameStyle = 'safe';

/** Facts about one server for the `initialize` result. */
export interface AdvertisedServer {
  readonly key: string;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly instructions?: string;
}

export interface InitializeResultInput {
  /** `protocolVersion` of the client's request, unvalidated. */
  readonly requestedVersion: unknown;
  readonly identity: HubIdentity;
  readonly servers: readonly AdvertisedServer[];
  /**
   * `all`: servers may come and go during the session. `offered`: only what servers offer now, plus tools.
   */
  readonly advertise: 'all' | 'offered';
}

/** The result of `initialize`. */
export interface InitializeResult {
  readonly protocolVersion: string;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly serverInfo: HubIdentity;
  readonly instructions?: string;
}

/** Builds the result of `initialize`; pure, so that a bridge returns the same result as its hub. */
export function initializeResult({
  requestedVersion,
  identity,
  servers,
  advertise,
}: InitializeResultInput): InitializeResult {
  const instructions = describeServers(identity, servers);
  return {
    protocolVersion: negotiateVersion(requestedVersion),
    capabilities: capabilitiesOf(servers, advertise),
    serverInfo: identity,
    ...(instructions === undefined ? {} : { instructions }),
  };
}

/** Returns the error for a request before `initialize`. */
export function notInitializedError(method: string): { readonly code: number; readonly message: string } {
  // A client of the stateless protocol asks this first and treats exactly this error as "use the older one".
  if (method === 'server/discover') return { code: -32601, message: `Method not found: ${method}` };
  return { code: -32600, message: `${method} was sent before initialize` };
}

/**
 * Returns the requested version if we support it, else our newest: the client decides whether to accept it.
 */
export function negotiateVersion(requested: unknown): string {
  return protocolVersions.find((version) => version === requested) ?? protocolVersions[0];
}

function capabilitiesOf(servers: readonly AdvertisedServer[], advertise: 'all' | 'offered') {
  const offered = (name: string) =>
    advertise === 'all' || servers.some(({ capabilities }) => capabilities[name] !== undefined);
  const canSubscribe =
    advertise === 'all' ||
    servers.some(({ capabilities }) => memberOf(capabilities.resources, 'subscribe') === true);
  const subscribe = canSubscribe ? { subscribe: true } : {};
  return {
    tools: { listChanged: true },
    ...(offered('resources') ? { resources: { ...subscribe, listChanged: true } } : {}),
    ...(offered('prompts') ? { prompts: { listChanged: true } } : {}),
    ...(offered('completions') ? { completions: {} } : {}),
    ...(offered('logging') ? { logging: {} } : {}),
    ...taskCapability(servers),
  };
}

/** Advertised only if a server runs tasks: a client may then turn every call into a task. */
function taskCapability(servers: readonly AdvertisedServer[]) {
  const offers = servers.flatMap(({ capabilities }) => capabilities.tasks ?? []);
  const can = (member: string) => offers.some((offer) => memberOf(offer, member) !== undefined);
  const runsCalls = offers.some(
    (offer) => memberOf(memberOf(memberOf(offer, 'requests'), 'tools'), 'call') !== undefined,
  );
  if (offers.length === 0) return {};
  return {
    tasks: {
      ...(can('list') ? { list: {} } : {}),
      ...(can('cancel') ? { cancel: {} } : {}),
      ...(runsCalls ? { requests: { tools: { call: {} } } } : {}),
    },
  };
}

function memberOf(value: unknown, member: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, member) : undefined;
}

/** Clients put instructions into every conversation, so each server gets a limited share. */
const instructionLimits = { perServer: 2_000, total: 8_000 } as const;

function describeServers(identity: HubIdentity, servers: readonly AdvertisedServer[]): string | undefined {
  if (servers.length === 0) return undefined;
  const keys = servers.map((server) => server.key).join(', ');
  const intro = `${identity.title ?? identity.name} connects you to these MCP servers: ${keys}. The name of a tool starts with the name of its server.`;
  const own = servers.flatMap(({ key, instructions }) =>
    instructions === undefined || instructions.trim() === ''
      ? []
      : [`## ${key}\n${shorten(instructions.trim(), instructionLimits.perServer)}`],
  );
  return shorten([intro, ...own].join('\n\n'), instructionLimits.total);
}

function shorten(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;
}
