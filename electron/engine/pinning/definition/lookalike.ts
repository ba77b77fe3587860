/** A tool by its names. */
interface NamedTool {
  readonly serverKey: string;
  readonly name: string;
}

/**
 * Finds tools of other servers that a name can be mistaken for. The same name at two servers is no imitation:
 * clients see it with the server.
 */
export class Lookalikes {
  readonly #bySkeleton = new Map<string, NamedTool[]>();
  readonly #keys: ReadonlySet<string>;

  constructor(tools: Iterable<NamedTool>) {
    const keys = new Set<string>();
    for (const tool of tools) {
      keys.add(tool.serverKey);
      const skeleton = skeletonOf(tool.name);
      const alike = this.#bySkeleton.get(skeleton);
      if (alike === undefined) this.#bySkeleton.set(skeleton, [tool]);
      else alike.push(tool);
    }
    this.#keys = keys;
  }

  /** Returns the tool that the name looks like. */
  of({ serverKey, name }: NamedTool): NamedTool | undefined {
    const alike = this.#bySkeleton.get(skeletonOf(name)) ?? [];
    return alike.find((other) => other.serverKey !== serverKey && other.name !== name);
  }

  /**
   * Returns whether a name imitates another server's tool: by similar letters, or by that server's key. Names
   * that differ only in case and separators just follow another convention.
   */
  isImitation(tool: NamedTool): boolean {
    const twin = this.of(tool);
    const isTwin = twin !== undefined && lettersOf(twin.name) !== lettersOf(tool.name);
    return isTwin || this.claimedServer(tool) !== undefined;
  }

  /** Returns the other server whose key the name starts with, in the way clients see that server's tools. */
  claimedServer({ serverKey, name }: NamedTool): string | undefined {
    const [, prefix] = /^(.+?)(?:__|:|\.)/.exec(name) ?? [];
    return prefix !== undefined && prefix !== serverKey && this.#keys.has(prefix) ? prefix : undefined;
  }
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Reduces a name to what is left without easily overlooked differences. */
export function skeletonOf(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}+/gu, '');
  return latinLetters(plain)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .replaceAll('0', 'o')
    .replace(/[1il|]/g, 'l')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');
}

/**
 * Replaces letters of other alphabets by the Latin letters that they look like; the length stays the same.
 */
export function latinLetters(text: string): string {
  return text.replace(/[\u0250-\uffff]/g, (char) => latinTwins.get(char) ?? char);
}

/** Letters of other alphabets, with the Latin letters that they look like. */
const latinTwins: ReadonlyMap<string, string> = new Map(
  [
    ['аеорсухіјѕһԁԛԝвкмнтгпАВЕКМНОРСТХУІЈЅ', 'aeopcyxijshdqwbkmhtrnABEKMHOPCTXYIJS'],
    ['αβεικνορτυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'abeiknoptuxABEZHIKMNOPTYX'],
    ['ıɑɡɩʟⅼⅽⅾⅿ', 'iagilcdm'],
  ].flatMap(([from = '', to = '']) => [...from].map((char, index) => [char, to[index] ?? char] as const)),
);
