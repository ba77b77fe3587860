import { scalarText } from '../../../shared/json.ts';
import { masked } from '../base/mask/mask-text.ts';
import { isSecretName } from '../base/mask/secret-name.ts';
import { parseText } from '../config/jsonc/parse.ts';
import { plainValue } from '../config/jsonc/tree.ts';

/**
 * Returns the config without the values of variables, headers and anything with the name of a secret.
 * Comments are dropped, since they may contain anything.
 */
export function configText(text: string): string {
  const { root, faults } = parseText(text);
  const [fault] = faults;
  if (root === undefined || fault !== undefined) {
    const where =
      fault === undefined ? '' : `: ${fault.message} (line ${fault.line}, column ${fault.column})`;
    return `It is not valid JSON${where}. Its text is omitted.`;
  }
  return JSON.stringify(redacted(plainValue(root), false), undefined, 2);
}

function redacted(value: unknown, isHidden: boolean): unknown {
  if (Array.isArray(value))
    return value.map((item, index) => redacted(item, isHidden || isAfterSecretOption(value, index)));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        redacted(member, isHidden || isSecretMember(name, member)),
      ]),
    );
  }
  return isHidden && !isHarmless(value) ? masked : value;
}

/** Hides all values of `env` and `headers`: many secrets have harmless names. */
function isSecretMember(name: string, member: unknown): boolean {
  if (typeof member === 'object') return valueMaps.has(name.toLowerCase());
  return isSecretName(name);
}

const valueMaps: ReadonlySet<string> = new Set(['env', 'headers', 'http_headers', 'requestinit', 'oauth']);

/** Matches the value in `"--api-key", "abc"`. */
function isAfterSecretOption(all: readonly unknown[], index: number): boolean {
  const option = /^--?([A-Za-z][\w-]*)$/.exec(scalarText(all[index - 1]))?.[1];
  return option !== undefined && isSecretName(option);
}

/** A reference alone reveals the source of a value, not the value; a default in it may. */
function isHarmless(value: unknown): boolean {
  return typeof value !== 'string'
    ? typeof value !== 'number'
    : value === '' || value === 'true' || value === 'false' || /^\$\{(?:(?:env|secret):)?\w+\}$/.test(value);
}
