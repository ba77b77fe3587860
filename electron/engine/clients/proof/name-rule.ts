/** What a client takes of the names it is told. */
export interface NameRule {
  readonly budget: number;
  /** A name that does not match costs the client its whole list, or that tool. */
  readonly pattern: RegExp;
  readonly toolCap?: number;
  readonly honoursListChanged: boolean;
}

/** What a strict client would say of a list; undefined if nothing. */
export function nameFault(names: readonly unknown[], { pattern }: NameRule): string | undefined {
  const bad = names.filter((name) => typeof name !== 'string' || !pattern.test(name));
  if (bad.length > 0) {
    return `${bad.length} of ${names.length} names would be refused, ${JSON.stringify(bad[0])} for one.`;
  }
  const twin = names.find((name, index) => names.indexOf(name) !== index);
  return twin === undefined ? undefined : `The name ${JSON.stringify(twin)} is listed twice.`;
}

/** A word of warning about the number of tools. */
export function capNote(tools: number, { toolCap }: NameRule): string {
  return toolCap !== undefined && tools > toolCap ? ` This client takes ${toolCap} at most.` : '';
}
