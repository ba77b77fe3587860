export function resultsOf(key: string): Readonly<Record<string, object>>;
export const optionalParts: Readonly<Record<string, readonly string[]>>;
