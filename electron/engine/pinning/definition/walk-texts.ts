/** A text in a definition and its place: models see more than descriptions. */
export interface PlacedText {
  readonly place: string;
  readonly text: string;
}

/** Returns all texts of a definition, member names included; bounded, whatever a server sends. */
export function walkTexts(definition: Readonly<Record<string, unknown>>): readonly PlacedText[] {
  const found: PlacedText[] = [];
  const waiting: { readonly place: string; readonly value: unknown; readonly depth: number }[] = [
    { place: '', value: definition, depth: 0 },
  ];
  for (let next = waiting.shift(); next !== undefined && found.length < maxTexts; next = waiting.shift()) {
    const { place, value, depth } = next;
    if (typeof value === 'string') found.push({ place, text: value });
    if (typeof value !== 'object' || value === null || depth > maxDepth) continue;
    for (const [key, member] of Object.entries(value)) {
      const inner = place === '' ? key : `${place}.${key}`;
      if (!isOrdinaryKey(key)) found.push({ place: inner, text: key });
      waiting.push({ place: inner, value: member, depth: depth + 1 });
    }
  }
  return found;
}

const maxTexts = 20_000;
const maxDepth = 64;

function isOrdinaryKey(key: string): boolean {
  return /^[\w$.-]{0,64}$/.test(key);
}
