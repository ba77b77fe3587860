import type { FieldMatch, MatchField } from '../../../../shared/model/tool/search.ts';
import type { SearchDocument, SkillNames, ToolClassification } from '../contract.ts';
import type { Stems } from '../text/terms.ts';
import { wordsOf } from '../text/words.ts';
import type { QueryWord } from './expand.ts';
import { textsOf } from './segment.ts';

/** Fields whose text is part of the hit. */
const carried: ReadonlySet<MatchField> = new Set(['name', 'server', 'title', 'description']);

/** Keywords may come from a model: they are searched but not shown. */
const hidden: ReadonlySet<MatchField> = new Set(['keyword']);

/** Returns the matching ranges of a document, to show why it was found. */
export function matchesOf(
  document: SearchDocument,
  knowledge: ToolClassification | undefined,
  words: readonly QueryWord[],
  { skillNames, stems }: { readonly skillNames: SkillNames; readonly stems: Stems },
): readonly FieldMatch[] {
  const wanted = new Map(
    words.flatMap(({ word, variants }) => variants.map(({ term }) => [term, word.text])),
  );
  return textsOf(document, knowledge, skillNames).flatMap(([field, text]): readonly FieldMatch[] => {
    const ranges = rangesOf(text, wanted, stems);
    if (ranges.length === 0) return [];
    if (hidden.has(field)) return [{ field, ranges: [] }];
    // Hits contain the server's key but not its display name.
    if (field === 'server')
      return [{ field, ranges: ranges.filter(([, end]) => end <= document.serverKey.length) }];
    return [carried.has(field) ? { field, ranges } : { field, text, ranges }];
  });
}

function rangesOf(text: string, wanted: ReadonlyMap<string, string>, stems: Stems): [number, number][] {
  const ranges: [number, number][] = [];
  for (const { text: word, start, end } of wordsOf(text)) {
    const stem = stems.of(word);
    const asked = wanted.get(stem);
    if (asked === undefined) continue;
    // Marks only the typed part of an incomplete word.
    const isBeginning = word.length > asked.length && word.startsWith(asked) && stems.of(asked) !== stem;
    const to = isBeginning ? start + asked.length : end;
    const last = ranges.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], to);
    else ranges.push([start, to]);
  }
  return ranges;
}
