import type { Definition, GuardMode, HeldDefinition, Judgement, ServerPins, ToolPin } from './contract.ts';

/**
 * Which of a server's tools clients may have. A name given to two definitions is held for either of them; what a server
 * lists twice alike is one.
 */
export function judgeTools(definitions: readonly Definition[], pins: ServerPins, mode: GuardMode): Judgement {
  if (mode === 'off' || definitions.length === 0) return nothingHeld;
  const isFirstSight = pins.size === 0;
  if (isFirstSight && mode === 'changes') return { ...nothingHeld, trusted: definitions };
  const held = definitions.flatMap((definition) => heldOf(definition, pins) ?? []);
  if (held.length === 0) return nothingHeld;
  return { held: new Set(held.map(({ name }) => name)), definitions: withoutTwins(held), trusted: [] };
}

const nothingHeld: Judgement = { held: new Set(), definitions: [], trusted: [] };

function heldOf(definition: Definition, pins: ServerPins): HeldDefinition | undefined {
  const pin = pins.get(definition.name);
  if (isApproved(definition, pin)) return undefined;
  const kind = pin?.approved === undefined ? 'new' : 'changed';
  return { ...definition, kind, blocked: pin?.blocked === definition.digest };
}

export function isApproved({ digest }: Pick<Definition, 'digest'>, pin: ToolPin | undefined): boolean {
  return pin?.approved === digest || pin?.earlier?.includes(digest) === true;
}

function withoutTwins(held: readonly HeldDefinition[]): readonly HeldDefinition[] {
  return [...new Map(held.map((one) => [`${one.digest} ${one.name}`, one])).values()];
}
