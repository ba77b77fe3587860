import type { InitializeParams } from '../../contract.ts';
import { versionAfterExit } from './protocol-versions.ts';

/** Second `initialize`, for a program that quit over the first one. */
export interface InitializeRetry {
  readonly initializeParams: InitializeParams;
  /** Text for the log. */
  readonly message: string;
}

/**
 * Decides how to initialize a program that quit before it answered: without capabilities if its output
 * complains about an unknown member, or with an older protocol version if it complains about that. Returns
 * undefined for anything else.
 */
export function initializeAfterExit(
  lastOutput: readonly string[],
  initializeParams: InitializeParams,
): InitializeRetry | undefined {
  const { protocolVersion, capabilities } = initializeParams;
  if (isAboutCapabilities(lastOutput.join('\n').slice(-maxOutputLength), Object.keys(capabilities))) {
    const message = 'The server quit over the client capabilities. Trying without them.';
    return { initializeParams: { ...initializeParams, capabilities: {} }, message };
  }
  const older = versionAfterExit(lastOutput, protocolVersion);
  if (older === undefined) return undefined;
  const message = `The server quit over protocol version ${protocolVersion}. Trying ${older}.`;
  return { initializeParams: { ...initializeParams, protocolVersion: older }, message };
}

/** Tells whether the output complains about an unknown member that is one of the capabilities. */
function isAboutCapabilities(output: string, names: readonly string[]): boolean {
  if (names.length === 0 || !unknownMember.test(output)) return false;
  const quoted = new Set([...output.matchAll(quotedName)].map(([, name]) => name));
  return /capabilit/i.test(output) || names.some((name) => quoted.has(name));
}

const unknownMember =
  /\b(?:unknown|unrecogni[sz]ed|unexpected|additional|extra|not (?:permitted|allowed|recogni[sz]ed))\b/i;
const quotedName = /["'`](\w{1,40})["'`]/g;
const maxOutputLength = 65_536;
