import { isRecord } from '../../../../../shared/json.ts';
import type { Catalogue, CatalogueView, NamedItem } from '../../../catalogue/contract.ts';
import { originalText, withMember } from '../../../catalogue/item-text.ts';
import { callTool, describeTool, searchTool } from '../../../catalogue/view/compact-tools.ts';
import { canonicalId } from '../../../catalogue/wire-name.ts';
import { RpcError } from '../../../jsonrpc/message.ts';
import type { RawRequest } from '../../../jsonrpc/raw-message.ts';
import { missingParam, relistAdvice, unknownTool } from '../../../routing/error-map.ts';
import { locate } from '../../../routing/resolve-route.ts';
import type { FoundTool, ToolFinder } from '../session-contract.ts';
import { argumentsOf, unwrapCall } from './unwrap-call.ts';

export interface CompactCallsOptions {
  readonly find: ToolFinder;
  /** The catalogue that the session may see. */
  readonly catalogue: () => Catalogue;
  /**
   * Resolves with the current view once servers that were never listed have been listed, or after a timeout.
   */
  readonly whenSettled: (view: CatalogueView) => Promise<CatalogueView>;
  /** Makes the call that `call_tool` wraps. */
  readonly call: (message: RawRequest, view: CatalogueView) => Promise<unknown>;
}

export interface CompactCalls {
  /** Handles calls of the hub's own search, describe and call tools; undefined for any other tool. */
  answer(message: RawRequest, view: CatalogueView): Promise<unknown> | undefined;
  /**
   * Rethrows the error of a call to this tool. If the tool is unknown, adds advice for a client with a short
   * list: similar names, and the search tool.
   */
  explain(error: unknown, name: unknown, view: CatalogueView): Promise<never>;
}

export function createCompactCalls(options: CompactCallsOptions): CompactCalls {
  async function search(message: RawRequest, known: CatalogueView): Promise<unknown> {
    const { query, limit } = argumentsOf(message);
    if (typeof query !== 'string') throw missingParam(searchTool.name, 'arguments.query');
    const view = await options.whenSettled(known);
    const has = (serverKey: string, name: string) => callableName(view, serverKey, name) !== undefined;
    const found = await options.find(query, { catalogue: options.catalogue(), has, limit: limitOf(limit) });
    return textResult(formatResults(found, view));
  }

  async function describe(message: RawRequest, known: CatalogueView): Promise<unknown> {
    const { name } = argumentsOf(message);
    if (typeof name !== 'string') throw missingParam(describeTool.name, 'arguments.name');
    try {
      return await definition(name, known);
    } catch (error) {
      return explain(error, name, known);
    }
  }

  async function definition(name: string, known: CatalogueView): Promise<unknown> {
    const view = known.findTool(name).kind === 'unknown' ? await options.whenSettled(known) : known;
    const { serverKey, name: own, item } = requireTool(view, name);
    const clientName = callableName(view, serverKey, own) ?? own;
    const defined = clientName === own ? item : withMember(item, 'name', clientName);
    return textResult(originalText(defined) ?? JSON.stringify(defined));
  }

  async function explain(error: unknown, name: unknown, view: CatalogueView): Promise<never> {
    // Errors with a different fix stay as they are.
    if (!(error instanceof RpcError) || !isRecord(error.data) || error.data.fix !== relistAdvice) throw error;
    const similar = typeof name === 'string' ? await namesLike(name, view) : [];
    const fix = similar.length === 0 ? `Find its name with ${searchTool.name}.` : suggestNames(similar);
    const clientName = error.toObject();
    throw new RpcError({
      ...clientName,
      message: `${clientName.message}. ${fix}`,
      data: { ...error.data, fix },
    });
  }

  async function namesLike(name: string, view: CatalogueView): Promise<readonly string[]> {
    const words = name.slice(0, maxSearchedLength).replace(/[^\p{L}\p{N}]+/gu, ' ');
    const has = (serverKey: string, own: string) => callableName(view, serverKey, own) !== undefined;
    const scope = { catalogue: options.catalogue(), has, limit: maxSuggestions };
    const found = await options.find(words, scope).catch(() => []);
    return found.flatMap(({ serverKey, name: own }) => callableName(view, serverKey, own) ?? []);
  }

  function answered(message: RawRequest, view: CatalogueView): Promise<unknown> | undefined {
    switch (message.param('name')) {
      case callTool.name:
        return options.call(unwrapCall(message), view);
      case searchTool.name:
        return search(message, view);
      case describeTool.name:
        return describe(message, view);
      default:
        return undefined;
    }
  }

  return { answer: answered, explain };
}

function suggestNames(names: readonly string[]): string {
  return `Did you mean ${names.join(' or ')}? Otherwise find its name with ${searchTool.name}.`;
}

/**
 * Maximum number of suggestions for an unknown name, and the number of its characters that are searched for.
 */
const maxSuggestions = 3;
const maxSearchedLength = 200;

/** Returns the name under which the client can call the tool; undefined if it may not. */
function callableName(view: CatalogueView, serverKey: string, name: string): string | undefined {
  const id = canonicalId(serverKey, name);
  const found = view.findTool(id);
  if (found.kind !== 'found' || found.target.serverKey !== serverKey || found.target.name !== name)
    return undefined;
  const { wireName } = found.target;
  const named = view.findTool(wireName);
  return named.kind === 'found' && named.target === found.target ? wireName : id;
}

/** Throws the same error as a call would. A tool that was not granted is treated as unknown. */
function requireTool(view: CatalogueView, name: string): NamedItem {
  const found = view.findTool(name);
  if (found.kind === 'found') return found.target;
  if (found.kind !== 'denied') locate('tools/call', { name }, view);
  throw unknownTool(name);
}

function formatResults(found: readonly FoundTool[], view: CatalogueView): string {
  if (found.length === 0) return `No tools found. Try other words, or the name of a service.`;
  return found
    .map((tool) => formatResult(tool, callableName(view, tool.serverKey, tool.name) ?? tool.name))
    .join('\n');
}

/** Formats a search result for the client's model. */
export function formatResult(
  { description = '', risk }: Omit<FoundTool, 'serverKey' | 'name'>,
  name: string,
): string {
  const short = shortened(description);
  const state = risk === 'destructive' ? ' [destructive]' : risk === 'read-only' ? ' [read-only]' : '';
  return `${name}${short === '' ? '' : `: ${short}`}${state}`;
}

/** Shortens a description to its first sentence, on one line. */
function shortened(description: string): string {
  const line = description
    .slice(0, 4 * maxDescriptionLength)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const sentence = /^.{20,}?[.!?](?= |$)/u.exec(line)?.[0] ?? line;
  return sentence.length <= maxDescriptionLength
    ? sentence
    : `${sentence.slice(0, maxDescriptionLength).trimEnd()}…`;
}

/** Maximum length of the description in a search result. */
const maxDescriptionLength = 120;

function limitOf(limit: unknown): number {
  const wanted = typeof limit === 'number' && Number.isFinite(limit) ? Math.floor(limit) : defaultResults;
  return Math.max(1, Math.min(maxResults, wanted));
}

export const defaultResults = 10;

const maxResults = 50;

function textResult(text: string): unknown {
  return { content: [{ type: 'text', text }] };
}
