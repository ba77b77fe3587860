import { digestOfText } from '../../base/digest.ts';
import { readTextIfExists } from '../../store/atomic-file.ts';
import { readClientFile, requireWritable } from '../file/client-file.ts';
import type { ConfigFormat } from '../format/contract.ts';
import type { Connection } from '../journal/connections.ts';
import { entryIn, saysTheSame, withEntry, withoutEntry } from './entry-edit.ts';
import { understood, withoutMark } from './plan-edit.ts';
import { spliceBetween, unsplice } from './splice.ts';

/** How our entry leaves a file. */
export type PlannedUndo =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'deleted'; readonly before: string }
  | { readonly kind: 'restored' | 'entry-removed'; readonly before: string; readonly after: string };

/**
 * To the byte what was there before, if the file is as we left it; else without our entry, by taking back the very
 * characters that were put in where they still stand together, or by taking the entry out. Rejects with
 * `client.config_unusable`.
 */
export async function planUndo(connection: Connection, format: ConfigFormat): Promise<PlannedUndo> {
  const { file, writes } = connection;
  const before = await readClientFile(file);
  if (before === undefined) return { kind: 'nothing' };
  await requireWritable(file);
  const last = writes[writes.length - 1] ?? writes[0];
  const place = { root: last.root, key: last.key };
  const first = writes.findLast(({ hadEntry }) => !hadEntry);
  const isAsLeft = digestOfText(before) === last.after;
  if (isAsLeft && first === last && first !== undefined) {
    if (first.before === undefined) return { kind: 'deleted', before };
    const original = await backedUp(first);
    if (original !== undefined) return { kind: 'restored', before, after: original };
  }
  const original = first === undefined ? undefined : await backedUp(first);
  return understood(file, () => {
    const text = withoutMark(before);
    if (entryIn(format, text, place) === undefined) return { kind: 'nothing' };
    const exact = original === undefined || first === undefined ? undefined : takenBack(text, original);
    return {
      kind: 'entry-removed',
      before,
      after: exact ?? withoutEntry(format, text, place, madeRoot(original)),
    };
  });

  function takenBack(text: string, original: string): string | undefined {
    const source = withoutMark(original);
    const entry = first?.entry ?? {};
    const spliced = unsplice(text, spliceBetween(source, withEntry(format, source, place, entry)));
    if (spliced === undefined) return undefined;
    const isGone = entryOrFault(spliced) === undefined;
    return isGone && saysTheSame(format, text, spliced, place) ? spliced : undefined;
  }

  function entryOrFault(text: string): unknown {
    try {
      return entryIn(format, text, place);
    } catch (error) {
      return error;
    }
  }

  function madeRoot(original: string | undefined): boolean {
    return (
      original === undefined || !Object.hasOwn(format.parse(withoutMark(original)) as object, place.root)
    );
  }
}

/** The copy of the file from before a write, if it still is that. */
async function backedUp({ backup, before }: Connection['writes'][0]): Promise<string | undefined> {
  if (backup === undefined) return before === undefined ? '' : undefined;
  const text = await readTextIfExists(backup).catch(() => undefined);
  return text !== undefined && digestOfText(text) === before ? text : undefined;
}
