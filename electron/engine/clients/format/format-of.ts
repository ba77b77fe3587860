import { mergeValue, nodeAt } from '../../config/jsonc/merge-value.ts';
import { parseText } from '../../config/jsonc/parse.ts';
import { render } from '../../config/jsonc/render.ts';
import { removeMember } from '../../config/jsonc/text-edit.ts';
import { duplicatesIn, memberOf, membersOf, plainValue } from '../../config/jsonc/tree.ts';
import { type ConfigFormat, FormatError, type Language } from './contract.ts';
import { mergedEntry } from './merged-entry.ts';

/** JSON with comments and trailing commas, edited with the same functions as our own `mcp.json`. */
export const json: ConfigFormat = {
  language: 'json',
  parse,
  put(text, { within = [], root, key }, entry) {
    const body = text.trim() === '' ? '{}\n' : text;
    const found = nodeAt(body, [...within, root]);
    if (found?.type === 'object') {
      const present = memberOf(found, key)?.value;
      const next = present === undefined ? entry : mergedEntry(plainValue(present), entry);
      return mergeValue(body, [...within, root, key], next);
    }
    const roots = found === undefined ? withLineBreak(body) : body;
    return mergeValue(roots, [...within, root], { [key]: entry });
  },
  remove(text, { within = [], root, key }, withRoot) {
    const kept = removeAt(text, [...within, root], key);
    const isEmpty = membersOf(nodeAt(kept, [...within, root])).length === 0;
    return withRoot && isEmpty ? removeAt(kept, within, root) : kept;
  },
  render: ({ within = [], root, key }, entry) =>
    render(
      within.reduceRight<unknown>((inner, step) => ({ [step]: inner }), { [root]: { [key]: entry } }),
      { eol: '\n', unit: '  ', indent: '', inline: false },
    ),
};

function parse(text: string): unknown {
  if (text.trim() === '') return {};
  const { root, faults } = parseText(text);
  const [fault] = faults;
  if (fault !== undefined || root === undefined)
    throw new FormatError(fault?.message ?? 'empty', fault?.line);
  // Programs differ in which of two equal keys they use.
  const duplicates = duplicatesIn(root).filter(({ path }) => path.length <= 2);
  if (duplicates[0] !== undefined) throw new FormatError(`"${duplicates[0].path.join('.')}" occurs twice`);
  return plainValue(root);
}

function removeAt(text: string, path: readonly string[], key: string): string {
  const container = nodeAt(text, path);
  const member = memberOf(container, key);
  return container === undefined || member === undefined ? text : removeMember(text, container, member.node);
}

/** Without a line break inside, an empty object would get all its members on one line. */
function withLineBreak(text: string): string {
  const root = parseText(text).root;
  if (root?.type !== 'object' || membersOf(root).length > 0) return text;
  const inside = text.slice(root.offset + 1, root.offset + root.length - 1);
  if (inside.trim() !== '' || /[\r\n]/.test(inside)) return text;
  return `${text.slice(0, root.offset)}{\n}${text.slice(root.offset + root.length)}`;
}

/** Returns the format of a language. The TOML and YAML parsers are loaded on first use. */
export async function formatOf(language: Language): Promise<ConfigFormat> {
  switch (language) {
    case 'json':
      return json;
    case 'toml':
      return (await import('./toml.ts')).toml;
    case 'yaml':
      return (await import('./yaml.ts')).yaml;
  }
}
