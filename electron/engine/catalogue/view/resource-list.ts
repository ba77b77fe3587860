import { type Problem, problem } from '../../../../shared/error/problem.ts';
import type { Catalogue, CatalogueServer, ClientProfile, RawItem, ResourceTarget } from '../contract.ts';
import { withMember } from '../item-text.ts';
import { hasResources } from '../linked-resources.ts';
import { formFor } from '../strict/strict-items.ts';

export interface ResourceList {
  readonly resources: readonly RawItem[];
  readonly templates: readonly RawItem[];
  readonly problems: readonly Problem[];
  readonly find: (uri: string) => ResourceTarget | undefined;
  readonly wireUri: (serverKey: string, uri: string) => string;
}

/**
 * Creates the resources of all servers. URIs stay raw, because results refer to them. If two servers offer
 * the same URI, the earlier one keeps it and the later one's gets its server key as a prefix. `linkedBy`
 * returns the server whose result linked to a URI.
 */
export function createResourceList(
  { servers }: Catalogue,
  profile: ClientProfile,
  linkedBy: LinkedBy = () => undefined,
): ResourceList {
  const resources = claimUris(servers, 'uri', ({ offer }) => offer.resources, profile);
  const templates = claimUris(servers, 'uriTemplate', ({ offer }) => offer.resourceTemplates, profile);
  const byPrefix = new Map(servers.map(({ key }) => [prefixUri(key, ''), key] as const));
  const providers = servers.filter(hasResources);
  const keys = new Set(servers.map(({ key }) => key));
  let compiled: readonly OwnedTemplate[] | undefined;

  function find(uri: string): ResourceTarget | undefined {
    return (
      resources.owners.get(uri) ??
      templates.owners.get(uri) ??
      stripPrefix(uri) ??
      linked(uri) ??
      byTemplate(uri) ??
      onlyProvider(uri)
    );
  }

  function stripPrefix(uri: string): ResourceTarget | undefined {
    const prefix = wrappedPrefix.exec(uri)?.[0];
    const serverKey = prefix === undefined ? undefined : byPrefix.get(prefix);
    if (prefix === undefined || serverKey === undefined) return undefined;
    return { serverKey, uri: uri.slice(prefix.length) };
  }

  function linked(uri: string): ResourceTarget | undefined {
    const serverKey = linkedBy(uri);
    return serverKey === undefined || !keys.has(serverKey) ? undefined : { serverKey, uri };
  }

  function byTemplate(uri: string): ResourceTarget | undefined {
    compiled ??= [...templates.owners.values()].map((owner) => ({
      owner,
      template: compileUriTemplate(owner.uri),
    }));
    let best: OwnedTemplate | undefined;
    for (const candidate of compiled) {
      if (best !== undefined && candidate.template.literalCount <= best.template.literalCount) continue;
      if (candidate.template.matches(uri)) best = candidate;
    }
    return best === undefined ? undefined : { serverKey: best.owner.serverKey, uri };
  }

  /** Unlisted resources can only belong to the one server that has any. */
  function onlyProvider(uri: string): ResourceTarget | undefined {
    const [only, another] = providers;
    return only === undefined || another !== undefined ? undefined : { serverKey: only.key, uri };
  }

  return {
    resources: resources.items,
    templates: templates.items,
    problems: [...resources.problems, ...templates.problems],
    find,
    wireUri: (serverKey, uri) =>
      (find(uri)?.serverKey ?? serverKey) === serverKey ? uri : prefixUri(serverKey, uri),
  };
}

export type LinkedBy = (uri: string) => string | undefined;

interface OwnedTemplate {
  readonly owner: ResourceTarget;
  readonly template: UriTemplate;
}

interface Claims {
  readonly items: readonly RawItem[];
  /** By the URI sent to clients. */
  readonly owners: ReadonlyMap<string, ResourceTarget>;
  readonly problems: readonly Problem[];
}

function claimUris(
  servers: readonly CatalogueServer[],
  field: 'uri' | 'uriTemplate',
  itemsOf: (server: CatalogueServer) => readonly RawItem[],
  profile: ClientProfile,
): Claims {
  const owners = new Map<string, ResourceTarget>();
  const items: RawItem[] = [];
  const problems: Problem[] = [];
  for (const server of servers) {
    for (const item of itemsOf(server)) {
      const uri = item[field];
      if (typeof uri !== 'string') continue;
      const holder = owners.get(uri);
      const isTaken = holder !== undefined && holder.serverKey !== server.key;
      const clientUri = isTaken ? prefixUri(server.key, uri) : uri;
      if (isTaken) problems.push(uriClash(uri, holder.serverKey, server.key, clientUri));
      owners.set(clientUri, { serverKey: server.key, uri });
      const form = formFor(profile, server, item);
      items.push(isTaken ? withMember(form, field, clientUri) : form);
    }
  }
  return { items, owners, problems };
}

/** Appends the raw URI unchanged, so that a template stays a template. */
function prefixUri(serverKey: string, uri: string): string {
  return `patchbay://resource/${encodeURIComponent(serverKey)}/${uri}`;
}

const wrappedPrefix = /^patchbay:\/\/resource\/[^/]+\//;

function uriClash(uri: string, keeper: string, loser: string, clientUri: string): Problem {
  const sentence = `The servers ${keeper} and ${loser} both offer ${uri}; ${keeper} keeps it.`;
  const fix = `Read the one from ${loser} as ${clientUri}.`;
  return problem('resource.uri_clash', sentence, fix, { uri, kept: keeper, left: loser, server: loser });
}

/** A URI template (RFC 6570), compiled to check whether a URI could have come from it. */
interface UriTemplate {
  /** Number of literal characters; of two matching templates, the one with more is more specific. */
  readonly literalCount: number;
  matches(uri: string): boolean;
}

/**
 * Compiles a template. An expression matches any text: `{x}` without `/`, the operators `+ # / ?` and `&`
 * also with it. Matching takes time proportional to both lengths, so no template can make it slow.
 */
export function compileUriTemplate(template: string): UriTemplate {
  const parts = template.split(/(\{[^{}]*\})/).filter((part) => part !== '');
  const tokens = parts.flatMap(toTokens);
  return {
    literalCount: tokens.filter((token) => token.kind === 'literal').length,
    matches: (uri) => matches(tokens, uri),
  };
}

type Token =
  | { readonly kind: 'literal'; readonly char: string }
  | { readonly kind: 'any'; readonly stops: string };

function toTokens(part: string): readonly Token[] {
  if (!part.startsWith('{') || !part.endsWith('}')) {
    return part.split('').map((char) => ({ kind: 'literal', char }));
  }
  return [{ kind: 'any', stops: /^\{[+#/?&]/.test(part) ? '' : '/' }];
}

/** Follows all possible matches at once; the positions are those of the tokens that may come next. */
function matches(tokens: readonly Token[], uri: string): boolean {
  let reached = skipAny(tokens, new Set([0]));
  for (const char of uri.split('')) {
    const next = new Set<number>();
    for (const at of reached) {
      const token = tokens[at];
      if (token?.kind === 'literal' && token.char === char) next.add(at + 1);
      if (token?.kind === 'any' && token.stops !== char) next.add(at);
    }
    if (next.size === 0) return false;
    reached = skipAny(tokens, next);
  }
  return reached.has(tokens.length);
}

/** Adds the positions behind expressions, which may match nothing. */
function skipAny(tokens: readonly Token[], positions: ReadonlySet<number>): ReadonlySet<number> {
  const all = new Set(positions);
  // Iterating a set includes elements added meanwhile.
  for (const at of all) if (tokens[at]?.kind === 'any') all.add(at + 1);
  return all;
}
