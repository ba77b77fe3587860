import { isSecretName } from '../../base/secret-name.ts';
import { hasSecretShape } from '../../base/secret-shape.ts';

const hidden = '•••';

/**
 * A line of somebody else's config with nothing left of it but its structure and its names: what stands beside our
 * entry may hold keys and passwords, under any name, and none of that is needed to see where our entry goes.
 */
export function maskLine(line: string): string {
  const indent = /^\s*/.exec(line)?.[0] ?? '';
  const text = line.slice(indent.length).trimEnd();
  if (/^[[\]{},\s]*$/.test(text)) return line;
  return indent + (maskMember(text) ?? maskTable(text) ?? hidden);
}

/** `"key": value,` of JSON, `key: value` of YAML and `key = value` of TOML. */
function maskMember(text: string): string | undefined {
  const match = /^((?:"[^"\\]*"|'[^']*'|[\w.-]+)\s*[:=])(\s*)(.*)$/.exec(text);
  if (match === null) return undefined;
  const [, name = '', gap = '', value = ''] = match;
  if (hasSecretShape(bare(name))) return hidden;
  const open = /^(?:[[{]?|\{\s*\},?|\[\s*\],?)$/.test(value);
  const comma = value.endsWith(',') ? ',' : '';
  return name + gap + (open ? value : hidden + comma);
}

/** `[servers.name]` of TOML. */
function maskTable(text: string): string | undefined {
  const match = /^(\[{1,2}[\w."' -]+\]{1,2})(\s*#.*)?$/.exec(text);
  const header = match?.[1];
  if (header === undefined || header.split('.').some((part) => hasSecretShape(bare(part)))) return undefined;
  return header;
}

function bare(name: string): string {
  return name.replace(/["'\s:=[\]]/g, '');
}

/** A message as people may see it: values under secret names and words that look made by chance are hidden. */
export function maskValue(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return isSecretName(name) ? hidden : maskText(value);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, maskValue(member, key)]));
  }
  if (Array.isArray(value)) return value.map((item) => maskValue(item, name));
  return value;
}

/** `TOKEN=…` and `token: …` too. */
export function maskText(text: string): string {
  return text
    .replace(/([\w-]+)(["']?\s*[=:]\s*["']?)([^\s"',;&]+)/g, (whole, name: string, between: string) =>
      isSecretName(name) ? name + between + hidden : whole,
    )
    .replace(/[^\s"'`,;()[\]{}<>=:&?]+/g, (word) => (hasSecretShape(word) ? hidden : word));
}
