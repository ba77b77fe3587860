import { masked } from '../../base/mask-text.ts';
import { isSecretName } from '../../base/secret-name.ts';
import { parseText } from '../../config/parse.ts';
import { plainValue } from '../../config/tree.ts';

/**
 * A config with its values of variables and headers left out, and of all that stands under the name of a secret. Comments
 * are left out too: people put anything there.
 */
export function configText(text: string): string {
  const { root, faults } = parseText(text);
  const [fault] = faults;
  if (root === undefined || fault !== undefined) {
    const where =
      fault === undefined ? '' : `: ${fault.message} (line ${fault.line}, column ${fault.column})`;
    return `It is not valid JSON${where}. Its text is left out.`;
  }
  return JSON.stringify(shown(plainValue(root), false), undefined, 2);
}

function shown(value: unknown, isHidden: boolean): unknown {
  if (Array.isArray(value)) return value.map((item, index) => shown(item, isHidden || follows(value, index)));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, shown(member, isHidden || hides(name, member))]),
    );
  }
  return isHidden && !isHarmless(value) ? masked : value;
}

/** Values of `env` and `headers` are hidden whatever their names: too many secrets have harmless ones. */
function hides(name: string, member: unknown): boolean {
  if (typeof member === 'object') return valueMaps.has(name.toLowerCase());
  return isSecretName(name);
}

const valueMaps: ReadonlySet<string> = new Set(['env', 'headers', 'http_headers', 'requestinit', 'oauth']);

/** `"--api-key", "abc"` */
function follows(all: readonly unknown[], index: number): boolean {
  const option = /^--?([A-Za-z][\w-]*)$/.exec(String(all[index - 1] ?? ''))?.[1];
  return option !== undefined && isSecretName(option);
}

/** A reference alone tells where a value comes from, not what it is; a default in it may. */
function isHarmless(value: unknown): boolean {
  return typeof value !== 'string'
    ? typeof value !== 'number'
    : value === '' || value === 'true' || value === 'false' || /^\$\{(?:(?:env|secret):)?\w+\}$/.test(value);
}
