import type { ClientIntroduction } from './instances-contract.ts';
import { revisionAfterExit } from './protocol-revisions.ts';

/** Another `initialize` for a program that quit over the first one. */
export interface OtherGreeting {
  readonly introduction: ClientIntroduction;
  /** Text for the log. */
  readonly said: string;
}

/**
 * Decides how to initialize a program that quit before it answered: without capabilities if its output
 * complains about an unknown member, or with an older protocol version if it complains about that. Returns
 * undefined for anything else.
 */
export function greetingAfterExit(
  lastWords: readonly string[],
  introduction: ClientIntroduction,
): OtherGreeting | undefined {
  const { protocolVersion, capabilities } = introduction;
  if (isAboutCapabilities(lastWords.join('\n').slice(-longestWords), Object.keys(capabilities))) {
    const said = 'The server quit over the client capabilities. Trying without them.';
    return { introduction: { ...introduction, capabilities: {} }, said };
  }
  const older = revisionAfterExit(lastWords, protocolVersion);
  if (older === undefined) return undefined;
  const said = `The server quit over protocol version ${protocolVersion}. Trying ${older}.`;
  return { introduction: { ...introduction, protocolVersion: older }, said };
}

/** Tells whether the output complains about an unknown member that is one of the capabilities. */
function isAboutCapabilities(words: string, names: readonly string[]): boolean {
  if (names.length === 0 || !unknownMember.test(words)) return false;
  const quoted = new Set([...words.matchAll(quotedName)].map(([, name]) => name));
  return /capabilit/i.test(words) || names.some((name) => quoted.has(name));
}

const unknownMember =
  /\b(?:unknown|unrecogni[sz]ed|unexpected|additional|extra|not (?:permitted|allowed|recogni[sz]ed))\b/i;
const quotedName = /["'`](\w{1,40})["'`]/g;
const longestWords = 65_536;
