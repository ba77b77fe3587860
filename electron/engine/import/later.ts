import type { ImportInput } from '../../../shared/model/import-session.ts';
import type { ImporterOptions } from './contract.ts';

/** References for inputs that were left empty, by input id; shared by all servers of an import. */
export type LaterReferences = Map<string, string>;

type Surroundings = Pick<ImporterOptions, 'config' | 'vault'>;

/**
 * Returns a reference to a value that is entered later; until then it is missing, so the server does not
 * start. A secret gets an unused name: a value entered for one service must never reach another one.
 */
export function laterReference(
  { id, title, secretName }: ImportInput,
  wished: string | undefined,
  known: LaterReferences,
  around: Surroundings,
): string {
  const found = known.get(id);
  if (found !== undefined) return found;
  const name = wished ?? secretName;
  const given = new Set(known.values());
  const reference =
    name === undefined
      ? numbered(
          (number) => `\${input:${wordOf(title)}${number}}`,
          (one) => !given.has(one),
        )
      : numbered(
          (number) => `\${secret:${name}${number}}`,
          (one) => !given.has(one) && !isTaken(one, around),
        );
  known.set(id, reference);
  return reference;
}

function numbered(write: (number: string) => string, isFree: (reference: string) => boolean): string {
  for (let number = 1; ; number += 1) {
    const reference = write(number === 1 ? '' : `_${number}`);
    if (isFree(reference)) return reference;
  }
}

function isTaken(reference: string, { config, vault }: Surroundings): boolean {
  const name = reference.slice('${secret:'.length, -1);
  const isMeant = config.state.servers.some(({ secretReferences = [] }) =>
    secretReferences.some((one) => one.name === name),
  );
  return isMeant || vault.isStored(name);
}

/** Turns a title into a valid name of a reference. */
function wordOf(title: string): string {
  return title.replace(/[^\w.-]+/g, '-').replace(/^[^A-Za-z_]+|(?<!-)-+$/g, '') || 'value';
}
