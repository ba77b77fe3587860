import type { ImportInput } from '../../../shared/model/import-session.ts';
import type { ImporterOptions } from './contract.ts';

/** References for inputs that were left empty, by input id; shared by all servers of an import. */
export type LaterReferences = Map<string, string>;

type LaterContext = Pick<ImporterOptions, 'config' | 'vault'>;

/**
 * Returns a reference to a value that is entered later; until then it is missing, so the server does not
 * start. A secret gets an unused name: a value entered for one service must never reach another one.
 */
export function laterReference(
  { id, title, secretName }: ImportInput,
  preferredName: string | undefined,
  known: LaterReferences,
  context: LaterContext,
): string {
  const found = known.get(id);
  if (found !== undefined) return found;
  const name = preferredName ?? secretName;
  const used = new Set(known.values());
  const reference =
    name === undefined
      ? firstFree(
          (number) => `\${input:${referenceName(title)}${number}}`,
          (one) => !used.has(one),
        )
      : firstFree(
          (number) => `\${secret:${name}${number}}`,
          (one) => !used.has(one) && !isNameTaken(one, context),
        );
  known.set(id, reference);
  return reference;
}

function firstFree(write: (number: string) => string, isFree: (reference: string) => boolean): string {
  for (let number = 1; ; number += 1) {
    const reference = write(number === 1 ? '' : `_${number}`);
    if (isFree(reference)) return reference;
  }
}

function isNameTaken(reference: string, { config, vault }: LaterContext): boolean {
  const name = reference.slice('${secret:'.length, -1);
  const isReferenced = config.state.servers.some(({ secretReferences = [] }) =>
    secretReferences.some((one) => one.name === name),
  );
  return isReferenced || vault.isStored(name);
}

/** Turns a title into a valid name of a reference. */
function referenceName(title: string): string {
  return title.replace(/[^\w.-]+/g, '-').replace(/^[^A-Za-z_]+|(?<!-)-+$/g, '') || 'value';
}
