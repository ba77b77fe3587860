/** How one hop speaks: with sessions (`legacy`), or stateless (`modern`). */
export type Era = 'legacy' | 'modern';

/** Setting for a server or client: `auto` asks and remembers. */
export type EraSetting = 'auto' | Era;

/** The era of a hop; `reason` is a clause for people, such as "it does not know server/discover". */
export interface EraVerdict {
  readonly era: Era;
  readonly reason: string;
}

export function legacyEra(reason: string): EraVerdict {
  return { era: 'legacy', reason };
}

export function modernEra(version: string): EraVerdict {
  return { era: 'modern', reason: `it answered server/discover with ${version}` };
}

/** Verdict on a server that need not be asked. */
export const knownLegacy = legacyEra('it had sessions when it was last asked, or its config says so');
