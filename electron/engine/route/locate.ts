import { isRecord } from '../../../shared/json.ts';
import type { CatalogueView, NamedItem } from '../catalogue/contract.ts';
import type { ParamChanges, RawRequest } from '../rpc/raw-message.ts';
import type { ServerState } from '../supervise/contract.ts';
import {
  missingParam,
  serverSwitchedOff,
  serverUnlisted,
  toolDisabled,
  toolOutsideProfile,
  toolQuarantined,
  unknownPrompt,
  unknownResource,
  unknownTool,
} from './error-map.ts';

type Params = Readonly<Record<string, unknown>>;

/** Returns the state of a server; used for servers that have never been listed. */
export type StateOf = (serverKey: string) => ServerState | undefined;

const unknownState: StateOf = () => undefined;

/** The server a request is for, and the params under that server's names; nothing else in them is changed. */
export interface LocatedRequest {
  readonly serverKey: string;
  readonly params: Params;
}

/** Reads only the params that address the request; the rest is not parsed. */
export function addressOf(request: RawRequest): Params {
  switch (request.method) {
    case 'tools/call':
    case 'prompts/get':
      return { name: request.param('name') };
    case 'completion/complete':
      return { ref: request.param('ref') };
    default:
      return { uri: request.param('uri') };
  }
}

/** The target of a request, and the replacements to make in it. */
export interface Route {
  readonly serverKey: string;
  readonly changes: ParamChanges;
  /** The raw name or URI; undefined if the request names nothing. */
  readonly name: string | undefined;
  /** The called tool; undefined if it is not a tool call. */
  readonly tool: NamedItem | undefined;
}

/** Returns the route to a tool. */
export function routeToTool(tool: NamedItem): Route {
  const { serverKey, name } = tool;
  return { serverKey, name, tool, changes: { name: JSON.stringify(name) } };
}

/** Returns the route of a request that names nothing, to a known server. */
export function routeToServer(serverKey: string): Route {
  return { serverKey, name: undefined, tool: undefined, changes: noChanges };
}

const noChanges: ParamChanges = {};

/** Resolves the route of a request. Throws like {@link locate}. */
export function resolveRoute(
  request: RawRequest,
  view: CatalogueView,
  stateOf: StateOf = unknownState,
): Route {
  const { method } = request;
  if (method === 'tools/call')
    return routeToTool(namedTool(view, textParam(method, addressOf(request), 'name'), stateOf));
  const { serverKey, params } = locate(method, addressOf(request), view, stateOf);
  const { name, uri, ref } = params;
  const changes = {
    ...(name === undefined ? {} : { name: JSON.stringify(name) }),
    ...(uri === undefined ? {} : { uri: JSON.stringify(uri) }),
    ...(isRecord(ref) ? refChanges(ref) : {}),
  };
  const named = name ?? uri ?? (isRecord(ref) ? (ref.name ?? ref.uri) : undefined);
  return { serverKey, changes, name: typeof named === 'string' ? named : undefined, tool: undefined };
}

function refChanges({ name, uri }: Params): ParamChanges {
  return {
    ...(name === undefined ? {} : { refName: JSON.stringify(name) }),
    ...(uri === undefined ? {} : { refUri: JSON.stringify(uri) }),
  };
}

/** Resolves a request's name or URI in the view. Throws the RpcError for the client if it is unknown. */
export function locate(
  method: string,
  params: Params,
  view: CatalogueView,
  stateOf: StateOf = unknownState,
): LocatedRequest {
  switch (method) {
    case 'tools/call':
      return byName(params, namedTool(view, textParam(method, params, 'name'), stateOf));
    case 'prompts/get':
      return byName(params, namedPrompt(view, textParam(method, params, 'name'), stateOf));
    case 'completion/complete':
      return byReference(method, params, view, stateOf);
    default:
      return byUri(params, view, textParam(method, params, 'uri'));
  }
}

/** Checks whether the view knows what a request names, even if it would be refused for another reason. */
export function isKnown(method: string, params: Params, view: CatalogueView): boolean {
  switch (method) {
    case 'tools/call':
      return typeof params.name !== 'string' || view.findTool(params.name).kind !== 'unknown';
    case 'prompts/get':
      return typeof params.name !== 'string' || view.findPrompt(params.name).kind !== 'unknown';
    case 'resources/read':
    case 'resources/subscribe':
      return typeof params.uri !== 'string' || view.findResource(params.uri) !== undefined;
    case 'completion/complete':
      return !isRecord(params.ref) || isKnown(referenceMethod(params.ref), params.ref, view);
    default:
      return true;
  }
}

/** Returns the method that reads what a completion refers to. */
function referenceMethod({ type }: Params): 'prompts/get' | 'resources/read' {
  return type === 'ref/prompt' ? 'prompts/get' : 'resources/read';
}

function byName(params: Params, { serverKey, name }: NamedItem): LocatedRequest {
  return { serverKey, params: { ...params, name } };
}

function byUri(params: Params, view: CatalogueView, requested: string): LocatedRequest {
  const found = view.findResource(requested);
  if (found === undefined) throw unknownResource(requested);
  return { serverKey: found.serverKey, params: { ...params, uri: found.uri } };
}

/** Resolves the prompt, URI or template that a completion refers to. */
function byReference(method: string, params: Params, view: CatalogueView, stateOf: StateOf): LocatedRequest {
  const reference = params.ref;
  if (!isRecord(reference)) throw missingParam(method, 'ref.type');
  const inner =
    reference.type === 'ref/prompt'
      ? byName(reference, namedPrompt(view, textParam(method, reference, 'name'), stateOf))
      : byUri(reference, view, textParam(method, reference, 'uri'));
  return { serverKey: inner.serverKey, params: { ...params, ref: inner.params } };
}

function namedTool(view: CatalogueView, requested: string, stateOf: StateOf): NamedItem {
  const lookup = view.findTool(requested);
  switch (lookup.kind) {
    case 'found':
    // Denied calls get their error from the authorizer.
    case 'denied':
      return lookup.target;
    case 'disabled':
      throw toolDisabled(lookup.target.serverKey, lookup.target.name);
    case 'outside':
      throw toolOutsideProfile(lookup.profile, lookup.target.serverKey, lookup.target.name);
    case 'held':
      throw toolQuarantined(lookup.target.serverKey, lookup.target.name);
    case 'server-off':
      throw serverSwitchedOff(lookup.target.serverKey);
    case 'unknown':
      throw lookup.server === undefined
        ? unknownTool(requested, callableNames(view, requested))
        : serverUnlisted(lookup.server, requested, stateOf(lookup.server));
  }
}

/**
 * Returns the names under which the client can call a tool with this raw name, limited to what it may see.
 */
function callableNames(view: CatalogueView, requested: string): readonly string[] {
  return view.tools
    .map(({ name }) => String(name))
    .filter((name) => {
      const found = view.findTool(name);
      return found.kind === 'found' && found.target.name === requested;
    });
}

function namedPrompt(view: CatalogueView, requested: string, stateOf: StateOf): NamedItem {
  const lookup = view.findPrompt(requested);
  if (lookup.kind === 'found') return lookup.target;
  if (lookup.kind === 'server-off') throw serverSwitchedOff(lookup.target.serverKey);
  const server = lookup.kind === 'unknown' ? lookup.server : undefined;
  throw server === undefined ? unknownPrompt(requested) : serverUnlisted(server, requested, stateOf(server));
}

function textParam(method: string, params: Params, name: string): string {
  const value = params[name];
  if (typeof value === 'string') return value;
  throw missingParam(method, name);
}
