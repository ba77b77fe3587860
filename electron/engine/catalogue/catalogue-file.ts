import { isRecord } from '../../../shared/json.ts';
import { readTextIfExists } from '../store/atomic-file.ts';
import type { Catalogue, CatalogueServer, RawItem, ServerListing } from './contract.ts';
import { hasOriginalTexts, originalText, readItem } from './item-text.ts';
import { strictItems } from './strict-items.ts';
import { validateListing } from './usable-offer.ts';

/** Version of the file format. A newer file belongs to a newer program. */
const fileVersion = 1;

/**
 * Content of `catalogue.json`. A damaged file is worthless and may be replaced; a newer one must not be
 * touched.
 */
export type StoredCatalogue =
  | { readonly kind: 'catalogue'; readonly catalogue: Catalogue }
  | { readonly kind: 'missing' | 'damaged' }
  | { readonly kind: 'newer'; readonly version: number };

/**
 * Reads the last known listings of all servers; every server is marked as cached. Never rejects. Validated by
 * hand, because the bridge reads it before its first response and must not load a schema library.
 */
export async function readCatalogueFile(file: string): Promise<StoredCatalogue> {
  try {
    const text = await readTextIfExists(file);
    return text === undefined ? { kind: 'missing' } : parseCatalogue(JSON.parse(text));
  } catch {
    return { kind: 'damaged' };
  }
}

/** Serializes a catalogue for the file. */
export function formatCatalogue(catalogue: Catalogue): string {
  const { revision, servers, off, awaited = [], config, isUnsure } = catalogue;
  return JSON.stringify({
    version: fileVersion,
    revision,
    awaited,
    config,
    ...(isUnsure ? { isUnsure } : {}),
    servers: servers.map(toStoredServer),
    off: off.map(toStoredServer),
  });
}

function toStoredServer({ key, offer, disabledTools, heldTools, judged }: CatalogueServer) {
  const held = judged ? { heldTools: [...heldTools] } : {};
  return { key, disabledTools: [...disabledTools], ...held, offer, ...storedTexts(offer) };
}

/** By list and position, only for items that have a text; readers may ignore it. */
function storedTexts(offer: ServerListing) {
  const lists = listParts.filter((part) => hasOriginalTexts(offer[part]));
  if (lists.length === 0) return {};
  return { texts: Object.fromEntries(lists.map((part) => [part, textsByPosition(offer[part])])) };
}

const listParts = ['tools', 'prompts', 'resources', 'resourceTemplates'] as const;

function textsByPosition(items: readonly RawItem[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    items.flatMap((item, index) => {
      const text = originalText(item);
      return text === undefined ? [] : [[String(index), text]];
    }),
  );
}

function parseCatalogue(value: unknown): StoredCatalogue {
  if (!isRecord(value) || typeof value.version !== 'number') return { kind: 'damaged' };
  if (value.version > fileVersion) return { kind: 'newer', version: value.version };
  const { revision } = value;
  const servers = parseServers(value.servers);
  const off = parseServers(value.off ?? []);
  if (typeof revision !== 'number' || !Number.isSafeInteger(revision)) return { kind: 'damaged' };
  if (servers === undefined || off === undefined) return { kind: 'damaged' };
  return { kind: 'catalogue', catalogue: { revision, servers, off, ...missingServersOf(value, servers) } };
}

/**
 * Reads which servers are missing from the file. An empty file of an older program, which did not record
 * this, is unsure.
 */
function missingServersOf(
  { awaited, config, isUnsure }: Readonly<Record<string, unknown>>,
  servers: readonly CatalogueServer[],
): Pick<Catalogue, 'awaited' | 'config' | 'isUnsure'> {
  if (!Array.isArray(awaited)) return servers.length === 0 ? { isUnsure: true } : {};
  return {
    ...(awaited.length === 0 ? {} : { awaited: [...namesIn(awaited)] }),
    ...(typeof config === 'string' ? { config } : {}),
    ...(isUnsure === true ? { isUnsure } : {}),
  };
}

/** One damaged server invalidates the whole cache, because it is unknown what else is wrong. */
function parseServers(value: unknown): readonly CatalogueServer[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const parsed = value.map(parseServer);
  const usable = parsed.filter((server) => server !== undefined);
  return usable.length < parsed.length ? undefined : usable;
}

function parseServer(value: unknown): CatalogueServer | undefined {
  if (!isRecord(value) || typeof value.key !== 'string' || !Array.isArray(value.disabledTools))
    return undefined;
  const offer = parseListing(value.offer);
  if (offer === undefined) return undefined;
  const disabledTools = namesIn(value.disabledTools);
  const judged = Array.isArray(value.heldTools);
  const heldTools = namesIn(Array.isArray(value.heldTools) ? value.heldTools : []);
  const usable = validateListing(value.key, withTexts(offer, value.texts));
  const withheld = { disabledTools, heldTools, ...(judged ? { judged: true as const } : {}) };
  return { key: value.key, cached: true, ...withheld, ...usable, strict: strictItems(usable.offer) };
}

function namesIn(values: readonly unknown[]): ReadonlySet<string> {
  return new Set(values.filter((name) => typeof name === 'string'));
}

function parseListing(value: unknown): ServerListing | undefined {
  if (!isRecord(value)) return undefined;
  const { tools, prompts, resources, resourceTemplates } = value;
  const { capabilities, serverInfo, protocolVersion, instructions, unlisted } = value;
  const isValid =
    [tools, prompts, resources, resourceTemplates].every(Array.isArray) &&
    [capabilities, serverInfo].every(isRecord) &&
    typeof protocolVersion === 'string' &&
    (instructions === undefined || typeof instructions === 'string') &&
    (unlisted === undefined || Array.isArray(unlisted));
  // The checks above establish the type; usableOffer validates the items.
  return isValid ? (value as unknown as ServerListing) : undefined;
}

/** Restores the original texts, which contain more than the printed values. */
function withTexts(offer: ServerListing, texts: unknown): ServerListing {
  if (!isRecord(texts)) return offer;
  const readList = (part: (typeof listParts)[number]): readonly RawItem[] => {
    const byPosition = texts[part];
    if (!isRecord(byPosition)) return offer[part];
    return offer[part].map((item, index) => {
      const text = byPosition[index];
      // Validated by usableOffer, like all items.
      return typeof text === 'string' ? (readItem(text) as RawItem) : item;
    });
  };
  return {
    ...offer,
    tools: readList('tools'),
    prompts: readList('prompts'),
    resources: readList('resources'),
    resourceTemplates: readList('resourceTemplates'),
  };
}
