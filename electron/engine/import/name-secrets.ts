import { type PlainSecret, plainText } from '../config/plain-secrets.ts';
import type { Entry } from './found.ts';
import type { ReviewContext, ReviewedSecret } from './judge.ts';

/**
 * Assigns names to secrets: equal ones share a name, different ones do not, and no name of another stored
 * secret is used.
 */
export function nameSecrets({
  secret,
  isStored,
}: Pick<ReviewContext, 'secret' | 'isStored'>): (entry: Entry, place: PlainSecret) => ReviewedSecret {
  const given = new Map<string, string>();
  const isFree = (name: string, value: string) => {
    const known = given.get(name);
    if (known !== undefined) return known === value;
    return !isStored(name) || secret(name) === value;
  };
  return (entry, place) => {
    const value = valueAt(entry, place);
    const known = [...given].find(([, one]) => one === value)?.[0];
    const name = known ?? firstFree(place.name, (candidate) => isFree(candidate, value));
    given.set(name, value);
    return { id: `${place.path.join('.')}:${place.from}`, location: place, value, secretName: name };
  };
}

function firstFree(name: string, isFree: (name: string) => boolean): string {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name}_${number}`;
    if (isFree(candidate)) return candidate;
  }
}

function valueAt(entry: Entry, { path, from, to }: PlainSecret): string {
  const found = path.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? (value as Entry)[step] : undefined),
    entry,
  );
  return typeof found === 'string' ? plainText(found.slice(from, to)) : '';
}
