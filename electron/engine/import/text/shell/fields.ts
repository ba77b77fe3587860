import type { Entry } from '../entry/dialects.ts';

/** Returns name and value around the first sign, as a list of one pair, or of none. */
export function fieldOf(text: string, sign: RegExp): readonly (readonly [string, string])[] {
  const match = sign.exec(text);
  return match === null || match.index === 0
    ? []
    : [[text.slice(0, match.index), text.slice(match.index + match[0].length)]];
}

/** Returns the member, or nothing if it is empty. */
export function optionalMember(name: 'env' | 'headers', values: Readonly<Record<string, string>>): Entry {
  return Object.keys(values).length === 0 ? {} : { [name]: values };
}

/** Returns the names and values of texts with a sign between both. */
export function fields(texts: readonly string[], sign: RegExp): Readonly<Record<string, string>> {
  return Object.fromEntries(texts.flatMap((text) => fieldOf(text, sign)));
}
