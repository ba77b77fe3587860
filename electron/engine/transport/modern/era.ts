import { printableWord } from '../../../../shared/printable.ts';

/** How one hop speaks: with sessions (`legacy`), or stateless (`modern`). */
export type Era = 'legacy' | 'modern';

/** Setting for a server or client: `auto` asks and remembers. */
export type EraSetting = 'auto' | Era;

/**
 * The era of a server; `reason` is a clause for people, such as "it does not know server/discover". `version` is
 * the stateless revision.
 */
export type EraVerdict =
  | LegacyEra
  | { readonly era: 'modern'; readonly reason: string; readonly version: string };

export interface LegacyEra {
  readonly era: 'legacy';
  readonly reason: string;
}

/** The reason may contain words of the server. */
export function legacyEra(reason: string): LegacyEra {
  return { era: 'legacy', reason: printableWord(reason.slice(0, maxReasonLength)) };
}

const maxReasonLength = 200;

export function modernEra(version: string): EraVerdict {
  return { era: 'modern', reason: 'it answered server/discover', version };
}
