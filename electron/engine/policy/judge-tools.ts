import type { Definition, GuardMode, HeldDefinition, Judgement, ServerPins, ToolPin } from './contract.ts';
import { hidesLetters } from './raised-risk.ts';

/** Compares a definition with the one before it; `unread` until that has been read. */
export type RiskOf = (definition: Definition) => 'none' | 'raised' | 'unread';

/**
 * Decides which of a server's tools clients may use. If a name has two definitions, quarantining one of them
 * quarantines the name; a definition that is listed twice counts once.
 */
export function judgeTools(
  definitions: readonly Definition[],
  pins: ServerPins,
  mode: GuardMode,
  riskOf: RiskOf,
): Judgement {
  if (mode === 'off' || definitions.length === 0) return nothingHeld;
  if (pins.size === 0 && mode === 'changes') return judgeFirstSight(definitions);
  const judged = definitions.flatMap((definition) => judge(definition, pins, mode, riskOf) ?? []);
  if (judged.length === 0) return nothingHeld;
  const kept = judged.filter(({ risk }) => risk !== 'none');
  return {
    held: new Set(kept.map(({ held }) => held.name)),
    definitions: withoutTwins(kept.flatMap(({ risk, held }) => (risk === 'raised' ? [held] : []))),
    trusted: [],
    passed: withoutTwins(judged.flatMap(({ risk, held }) => (risk === 'none' ? [held] : []))),
    unread: kept.flatMap(({ risk, held }) => (risk === 'unread' ? [held] : [])),
  };
}

const nothingHeld: Judgement = { held: new Set(), definitions: [], trusted: [], passed: [], unread: [] };

/** Trusts a new server's tools as its user adds them, except for text that the user cannot see. */
function judgeFirstSight(definitions: readonly Definition[]): Judgement {
  const hidden = definitions.filter(({ item }) => hidesLetters(item));
  const names = new Set(hidden.map(({ name }) => name));
  return {
    ...nothingHeld,
    held: names,
    definitions: withoutTwins(hidden.map((definition) => ({ ...definition, kind: 'new', blocked: false }))),
    trusted: definitions.filter((definition) => !hidden.includes(definition)),
  };
}

interface Judged {
  readonly held: HeldDefinition;
  readonly risk: ReturnType<RiskOf>;
}

function judge(
  definition: Definition,
  pins: ServerPins,
  mode: GuardMode,
  riskOf: RiskOf,
): Judged | undefined {
  const pin = pins.get(definition.name);
  if (isApproved(definition, pin)) return undefined;
  const kind = pin?.approved === undefined ? 'new' : 'changed';
  const blocked = pin?.blocked === definition.digest;
  // Every change of a tool that a user has blocked needs their decision.
  const asks = mode === 'each' || pin?.blocked !== undefined;
  return { held: { ...definition, kind, blocked }, risk: asks ? 'raised' : riskOf(definition) };
}

export function isApproved({ digest }: Pick<Definition, 'digest'>, pin: ToolPin | undefined): boolean {
  return pin?.approved === digest || pin?.earlier?.includes(digest) === true;
}

function withoutTwins(held: readonly HeldDefinition[]): readonly HeldDefinition[] {
  return [...new Map(held.map((one) => [`${one.digest} ${one.name}`, one])).values()];
}
