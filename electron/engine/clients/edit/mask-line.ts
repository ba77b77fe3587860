import { masked } from '../../base/mask-text.ts';
import { hasSecretShape } from '../../base/secret-shape.ts';

/**
 * Masks a line of another program's config except for its structure and names. Values beside our entry may be
 * keys and passwords under any name, and none is needed to see where our entry goes.
 */
export function maskLine(line: string): string {
  const indent = /^\s*/.exec(line)?.[0] ?? '';
  const text = line.slice(indent.length).trimEnd();
  if (/^[[\]{},\s]*$/.test(text)) return line;
  return indent + (maskMember(text) ?? maskTable(text) ?? maskWhole(text) ?? masked);
}

/** Matches `"key": value,` of JSON, `key: value` of YAML and `key = value` of TOML. */
function maskMember(text: string): string | undefined {
  const match = /^((?:"[^"\\]*"|'[^']*'|[\w.-]+)\s*[:=])(\s*)(.*)$/s.exec(text);
  if (match === null) return undefined;
  const [, name = '', gap = '', value = ''] = match;
  if (hasSecretShape(unquotedName(name))) return masked;
  const open = /^(?:[[{]?|\{\s*\},?|\[\s*\],?)$/.test(value);
  const comma = value.endsWith(',') ? ',' : '';
  return name + gap + (open ? value : masked + comma);
}

/** Matches `[servers.name]` of TOML. */
function maskTable(text: string): string | undefined {
  const match = /^(\[{1,2}[\w."' -]+\]{1,2})(\s*#.*)?$/.exec(text);
  const header = match?.[1];
  if (header === undefined || header.split('.').some((part) => hasSecretShape(unquotedName(part))))
    return undefined;
  return header;
}

/** Masks a JSON file on one line: everything but names and brackets. */
function maskWhole(text: string): string | undefined {
  if (!/^[[{]/.test(text) || !isJson(text)) return undefined;
  return text.replace(tokens, (token, colon: string | undefined) => {
    if (colon === undefined) return masked;
    return hasSecretShape(unquotedName(token)) ? `"${masked}"${colon}` : token;
  });
}

/** Matches strings, with the colon that makes one a name, and all other values. */
const tokens = /"(?:[^"\\]|\\.)*"(\s*:)?|[^\s{}[\],:"]+/g;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function unquotedName(name: string): string {
  return name.replace(/["'\s:=[\]]/g, '');
}
