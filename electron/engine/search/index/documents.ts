import type { StatedRisk } from '../../../../shared/model/search.ts';
import type { CatalogueServer, RawItem } from '../../catalogue/contract.ts';
import type { SearchDocument } from '../contract.ts';

/** Converts a server's listing into documents. `isOn`: whether the server is enabled. */
export function documentsOf(
  server: CatalogueServer,
  isOn: boolean,
  serverTitle?: string,
): readonly SearchDocument[] {
  const { offer, disabledTools, heldTools } = server;
  const tools = offer.tools.flatMap((item) => {
    const name = textOf(item.name);
    if (name === undefined) return [];
    const enabled = isOn && !disabledTools.has(name) && !heldTools.has(name);
    return [toolDocument(server.key, name, item, enabled)];
  });
  const others = (kind: 'prompt' | 'resource', items: readonly RawItem[], key: string) =>
    items.flatMap((item) => plainDocument(kind, server.key, item, key, isOn));
  const documents = [
    ...tools,
    ...others('prompt', offer.prompts, 'name'),
    ...others('resource', offer.resources, 'uri'),
    ...others('resource', offer.resourceTemplates, 'uriTemplate'),
  ];
  return serverTitle === undefined ? documents : documents.map((one) => ({ ...one, serverTitle }));
}

export function toolDocument(
  serverKey: string,
  name: string,
  item: RawItem,
  enabled: boolean,
): SearchDocument {
  const annotations = recordOf(item.annotations);
  return {
    kind: 'tool',
    serverKey,
    name,
    title: textOf(item.title) ?? textOf(annotations.title),
    description: cut(textOf(item.description)),
    parameters: parametersOf(item.inputSchema),
    risk: riskOf(annotations),
    enabled,
  };
}

function plainDocument(
  kind: 'prompt' | 'resource',
  serverKey: string,
  item: RawItem,
  key: string,
  enabled: boolean,
): readonly SearchDocument[] {
  const name = textOf(item[key]);
  if (name === undefined) return [];
  const asked = Array.isArray(item.arguments) ? item.arguments.map((one) => recordOf(one).name) : [];
  const title = textOf(item.title) ?? (kind === 'resource' ? textOf(item.name) : undefined);
  const description = cut(textOf(item.description));
  const parameters = asked.flatMap((one) => textOf(one) ?? []).join(' ');
  return [{ kind, serverKey, name, title, description, parameters, risk: 'unstated', enabled }];
}

/**
 * Reads the risk from the annotations; by the protocol, a tool that is only marked as writing may also
 * destroy.
 */
function riskOf({ readOnlyHint, destructiveHint }: Readonly<Record<string, unknown>>): StatedRisk {
  if (readOnlyHint === true) return 'read-only';
  if (destructiveHint === true) return 'destructive';
  if (destructiveHint === false) return 'writes';
  return readOnlyHint === false ? 'destructive' : 'unstated';
}

/** Names of the first parameters. */
function parametersOf(schema: unknown): string {
  return Object.keys(recordOf(recordOf(schema).properties))
    .slice(0, maxParameters)
    .join(' ');
}

const maxParameters = 40;

/**
 * Characters of a description that are indexed: the purpose comes first, and some descriptions are very long.
 */
const maxDescriptionLength = 1_500;

function cut(text: string | undefined): string | undefined {
  return text?.slice(0, maxDescriptionLength);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
