/** A client's limits for the names and tools it is sent. */
export interface NameRule {
  readonly budget: number;
  /** A name that does not match makes the client reject the tool or the whole list. */
  readonly pattern: RegExp;
  readonly toolCap?: number;
  readonly honoursListChanged: boolean;
}

/** Returns the reason why a strict client would reject a list; undefined if it would not. */
export function nameViolation(names: readonly unknown[], { pattern }: NameRule): string | undefined {
  const bad = names.filter((name) => typeof name !== 'string' || !pattern.test(name));
  if (bad.length > 0) {
    return `${bad.length} of ${names.length} names would be refused, for example ${JSON.stringify(bad[0])}.`;
  }
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  return duplicate === undefined ? undefined : `The name ${JSON.stringify(duplicate)} is listed twice.`;
}

/** Warns if there are more tools than the client accepts. */
export function toolCapWarning(tools: number, { toolCap }: NameRule): string {
  return toolCap !== undefined && tools > toolCap ? ` This client accepts at most ${toolCap}.` : '';
}
