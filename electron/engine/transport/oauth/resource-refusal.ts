import type { Discovered } from './discover.ts';
import { type RefusalReason, ServiceRefusal } from './service-refusal.ts';

/**
 * Returns true if a service refuses to be told which server a token is for (RFC 8707), as Microsoft Entra
 * does: its own codes for that appear with any other code, or in the text of a page.
 */
export function isAboutResource(error: unknown): boolean {
  return error instanceof ServiceRefusal && isResourceRefusal(error);
}

export function isResourceRefusal({ code, words = '' }: RefusalReason): boolean {
  if (targetCodes.has(code ?? '') || entraCodes.test(words)) return true;
  const isFlaw = code === undefined || code === 'invalid_request';
  return isFlaw && aboutResource.test(words);
}

/**
 * Searches only for Entra's codes, because a page may be a whole program in which other words mean nothing.
 */
export function pageRefusesResource(text: string): boolean {
  return entraCodes.test(text.slice(0, maxPageLength));
}

/** Returns the same service without the resource, and records that it accepts none. */
export function withoutResource({ resource: _, ...rest }: Discovered): Discovered {
  return { ...rest, refusesResource: true };
}

const targetCodes: ReadonlySet<string> = new Set(['invalid_target', 'invalid_resource']);
const entraCodes = /\bAADSTS(?:901002|9010010)\b/;
const aboutResource =
  /\bresource\b.{0,40}\b(?:parameter|indicator|supported|permitted|allowed)|\b(?:parameter|field|indicator)s?\b.{0,40}\bresource\b/i;
const maxPageLength = 500_000;
