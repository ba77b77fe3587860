import { type Problem, problem } from '../../../shared/error/problem.ts';
import type { RawItem, ServerListing } from './contract.ts';

/** Separates items that cannot be named or addressed; a list with no such item stays the same object. */
export function validateListing(
  serverKey: string,
  offer: ServerListing,
): { readonly offer: ServerListing; readonly setAside: readonly Problem[] } {
  const tools = validateItems(serverKey, 'tool', 'name', offer.tools);
  const prompts = validateItems(serverKey, 'prompt', 'name', offer.prompts);
  const resources = validateItems(serverKey, 'resource', 'uri', offer.resources);
  const templates = validateItems(serverKey, 'resource template', 'uriTemplate', offer.resourceTemplates);
  return {
    offer: {
      ...offer,
      tools: tools.items,
      prompts: prompts.items,
      resources: resources.items,
      resourceTemplates: templates.items,
    },
    setAside: [tools, prompts, resources, templates].flatMap(({ setAside }) => setAside),
  };
}

interface ValidatedItems {
  readonly items: readonly RawItem[];
  readonly setAside: readonly Problem[];
}

function validateItems(
  serverKey: string,
  noun: string,
  field: string,
  items: readonly unknown[],
): ValidatedItems {
  const usable: RawItem[] = [];
  const setAside: Problem[] = [];
  const known = new Set<unknown>();
  items.forEach((item, index) => {
    const reason = unusableReason(item, field, known);
    if (reason === undefined) usable.push(item as RawItem);
    else setAside.push(invalidDefinition(serverKey, noun, index, reason));
  });
  return { items: setAside.length === 0 ? (items as readonly RawItem[]) : usable, setAside };
}

/** Replaces an item that is nested too deeply to be compared, stored or sent. */
export const tooDeepItem: RawItem = {};

/** Returns undefined for an object whose `field` is a non-empty string that no earlier item has. */
function unusableReason(item: unknown, field: string, known: Set<unknown>): string | undefined {
  if (item === tooDeepItem) return 'it is nested too deeply';
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return 'it is not an object';
  const value = (item as RawItem)[field];
  if (value === undefined) return `it has no "${field}"`;
  if (typeof value !== 'string') return `its "${field}" is not text`;
  if (value === '') return `its "${field}" is empty`;
  if (known.has(value)) return `its "${field}" ${JSON.stringify(value)} is a duplicate`;
  known.add(value);
  return undefined;
}

function invalidDefinition(serverKey: string, noun: string, index: number, reason: string): Problem {
  const sentence = `The ${noun} at position ${index} of ${serverKey} cannot be used: ${reason}.`;
  const fix = 'Update the server or report this to its author; the rest of it works.';
  return problem('tool.invalid_definition', sentence, fix, { server: serverKey, kind: noun, index, reason });
}
