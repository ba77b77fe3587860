import { isRecord, scalarText } from '../../../../shared/json.ts';
import { isPlaceholder, isUnfilledSecret } from '../../../../shared/model/import/entry-variable.ts';
import { isSecretName } from '../../base/mask/secret-name.ts';
import type { Path } from '../jsonc/tree.ts';
import { type Entry, placesOf } from './aliases.ts';
import { keyTextsIn } from './key-members.ts';
import { headerWords, schemeLength, secretNameOf } from './plain-secrets.ts';

/** A placeholder from instructions that is still in an entry. */
export interface Placeholder {
  readonly path: Path;
  /** Offsets in the text at `path`. */
  readonly from: number;
  readonly to: number;
  /** Display name. */
  readonly label: string;
  /** A name for the secret that replaces it. */
  readonly name: string;
}

/**
 * Returns placeholders in variables, headers and options whose names suggest a secret, and those in angle
 * brackets.
 */
export function placeholdersIn(entry: Entry, key: string): readonly Placeholder[] {
  return [
    ...placesOf(entry, 'env').flatMap(([path, values]) =>
      textEntries(values).flatMap(([name, text]) => placeholderIn([...path, name], text, name, name)),
    ),
    ...placesOf(entry, 'headers').flatMap(([path, values]) =>
      textEntries(values).flatMap(([name, text]) =>
        placeholderIn([...path, name], text, name, `${key} ${headerWords(name)}`),
      ),
    ),
    ...keyTextsIn(entry).flatMap(([name, text]) =>
      placeholderIn([name], text, 'token', `${key} ${headerWords(name)}`),
    ),
    ...optionsOf(entry.args, key),
  ];
}

function optionsOf(args: unknown, key: string): readonly Placeholder[] {
  if (!Array.isArray(args)) return [];
  return args.flatMap((word: unknown, index) => {
    if (typeof word !== 'string') return [];
    const path = ['args', index];
    const [start, name] = /^-{0,2}([A-Za-z][\w.-]{0,60})=/.exec(word) ?? [];
    if (start !== undefined && name !== undefined) {
      const label = start.slice(0, -1);
      return placeholderIn(path, word.slice(start.length), label, `${key} ${name}`).map((one) => ({
        ...one,
        from: one.from + start.length,
        to: one.to + start.length,
      }));
    }
    const option = /^--?([A-Za-z][\w-]{0,60})$/.exec(scalarText(args[index - 1]));
    return option === null ? [] : placeholderIn(path, word, option[0], `${key} ${option[1]}`);
  });
}

function placeholderIn(path: Path, text: string, label: string, words: string): readonly Placeholder[] {
  const from = schemeLength(text);
  const value = text.slice(from);
  const isSecret = isSecretName(label);
  const isTelling = isSecret || /^<[^<>]{2,100}>$/.test(value.trim());
  const isOpen = isPlaceholder(value) || (isSecret && isUnfilledSecret(value));
  if (value.trim() === '' || !isTelling || !isOpen) return [];
  return [{ path, from, to: text.length, label, name: secretNameOf(words) }];
}

function textEntries(values: unknown): readonly (readonly [string, string])[] {
  if (!isRecord(values)) return [];
  return Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
}
