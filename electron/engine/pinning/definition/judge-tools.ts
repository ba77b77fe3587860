import type {
  Definition,
  GuardMode,
  GuardVerdict,
  QuarantinedDefinition,
  ServerPins,
  ToolPin,
} from './contract.ts';
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
): GuardVerdict {
  if (mode === 'off' || definitions.length === 0) return nothingQuarantined;
  if (pins.size === 0 && mode === 'changes') return judgeNewServer(definitions);
  const judged = definitions.flatMap((definition) => judge(definition, pins, mode, riskOf) ?? []);
  if (judged.length === 0) return nothingQuarantined;
  const quarantined = judged.filter(({ risk }) => risk !== 'none');
  return {
    quarantinedNames: new Set(quarantined.map(({ definition }) => definition.name)),
    quarantined: withoutDuplicates(
      quarantined.flatMap(({ risk, definition }) => (risk === 'raised' ? [definition] : [])),
    ),
    trusted: [],
    autoApproved: withoutDuplicates(
      judged.flatMap(({ risk, definition }) => (risk === 'none' ? [definition] : [])),
    ),
    pendingRead: quarantined.flatMap(({ risk, definition }) => (risk === 'unread' ? [definition] : [])),
  };
}

const nothingQuarantined: GuardVerdict = {
  quarantinedNames: new Set(),
  quarantined: [],
  trusted: [],
  autoApproved: [],
  pendingRead: [],
};

/** Trusts a new server's tools as its user adds them, except for text that the user cannot see. */
function judgeNewServer(definitions: readonly Definition[]): GuardVerdict {
  const hidden = definitions.filter(({ item }) => hidesLetters(item));
  const names = new Set(hidden.map(({ name }) => name));
  return {
    ...nothingQuarantined,
    quarantinedNames: names,
    quarantined: withoutDuplicates(
      hidden.map((definition) => ({ ...definition, kind: 'new', blocked: false })),
    ),
    trusted: definitions.filter((definition) => !hidden.includes(definition)),
  };
}

interface Judged {
  readonly definition: QuarantinedDefinition;
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
  return { definition: { ...definition, kind, blocked }, risk: asks ? 'raised' : riskOf(definition) };
}

export function isApproved({ digest }: Pick<Definition, 'digest'>, pin: ToolPin | undefined): boolean {
  return pin?.approved === digest || pin?.earlier?.includes(digest) === true;
}

function withoutDuplicates(definitions: readonly QuarantinedDefinition[]): readonly QuarantinedDefinition[] {
  return [...new Map(definitions.map((one) => [`${one.digest} ${one.name}`, one])).values()];
}
