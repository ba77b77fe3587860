import type { MatchField } from '../../../../shared/model/search.ts';
import type { ClassificationOf, SearchDocument, SkillNames, ToolClassification } from '../contract.ts';
import type { Compounds } from '../text/compounds.ts';
import { type Stems, termsOf } from '../text/terms.ts';
import { wordsOf } from '../text/words.ts';
import { fieldWeights, saturation } from './weights.ts';

/** Documents that contain a term and its weight in each, as parallel arrays. */
export interface Posting {
  readonly documents: Uint16Array | Uint32Array;
  readonly weights: Float32Array;
}

/** The index of one server's listing. It is immutable. */
export interface Segment {
  readonly serverKey: string;
  readonly documents: readonly SearchDocument[];
  readonly knowledge: readonly (ToolClassification | undefined)[];
  readonly postings: ReadonlyMap<string, Posting>;
  /** Spoken form of each name. */
  readonly spokenNames: readonly string[];
  /** Document indices by spoken name. */
  readonly names: ReadonlyMap<string, readonly number[]>;
  /** Words of the server's key. */
  readonly keyWords: readonly string[];
  readonly tools: number;
  readonly enabledTools: number;
}

export interface SegmentSource {
  readonly serverKey: string;
  readonly documents: readonly SearchDocument[];
  readonly knowledgeOf: ClassificationOf;
  readonly skillNames: SkillNames;
  readonly stems: Stems;
  readonly compounds: Compounds;
}

export function buildSegment(source: SegmentSource): Segment {
  const { serverKey, documents, knowledgeOf } = source;
  const knowledge = documents.map(({ kind, name }) =>
    kind === 'tool' ? knowledgeOf(serverKey, name) : undefined,
  );
  const said = documents.map(({ name }) => spoken(name));
  const gathered = new Map<string, { documents: number[]; weights: number[] }>();
  documents.forEach((document, place) => {
    for (const [term, weight] of weigh(document, knowledge[place], source)) {
      const posting = gathered.get(term) ?? { documents: [], weights: [] };
      posting.documents.push(place);
      posting.weights.push((weight * (saturation + 1)) / (weight + saturation));
      gathered.set(term, posting);
    }
  });
  return {
    serverKey,
    documents,
    knowledge,
    postings: packPostings(gathered, documents.length),
    spokenNames: said,
    names: namesOf(serverKey, documents, said),
    keyWords: wordsOf(serverKey).map(({ text }) => text),
    tools: documents.filter(({ kind }) => kind === 'tool').length,
    enabledTools: documents.filter(({ kind, enabled }) => kind === 'tool' && enabled).length,
  };
}

export function textsOf(
  { serverKey, serverTitle, name, title, description, parameters }: SearchDocument,
  knowledge: ToolClassification | undefined,
  skillNames: SkillNames,
): readonly (readonly [MatchField, string])[] {
  const skills = knowledge?.skills.map(({ id }) => skillNames.get(id) ?? id).join(' · ') ?? '';
  const texts: readonly (readonly [MatchField, string])[] = [
    ['name', name],
    // The key comes first, so that match positions also fit the hit's key.
    ['server', serverTitle === undefined ? serverKey : `${serverKey} ${serverTitle}`],
    ['title', title ?? ''],
    ['description', description ?? ''],
    ['parameter', parameters],
    ['keyword', knowledge?.keywords.join(', ') ?? ''],
    ['skill', skills],
  ];
  return texts.filter(([, text]) => text !== '');
}

function weigh(
  document: SearchDocument,
  knowledge: ToolClassification | undefined,
  { skillNames, stems, compounds }: SegmentSource,
): ReadonlyMap<string, number> {
  const total = new Map<string, number>();
  for (const [field, text] of textsOf(document, knowledge, skillNames)) {
    const terms = termsOf(text, stems);
    const { weight, typicalLength: usual, lengthInfluence: length } = fieldWeights[field];
    const each = weight / (1 - length + (length * terms.length) / usual);
    const add = (stem: string, points: number) => total.set(stem, (total.get(stem) ?? 0) + points);
    for (const { stem, text: word } of terms) {
      add(stem, each);
      if (!named.has(field)) continue;
      for (const part of compounds.partsOf(word)) add(stems.of(part), each * partOfWord);
    }
  }
  return total;
}

/** Fields with names, whose words are often joined: `timezone`, `searchusers`. */
const named: ReadonlySet<MatchField> = new Set(['name', 'server', 'title']);

/** Weight of a part of a joined word, relative to the word. */
const partOfWord = 0.7;

function packPostings(
  gathered: ReadonlyMap<string, { readonly documents: number[]; readonly weights: number[] }>,
  count: number,
): ReadonlyMap<string, Posting> {
  const size = [...gathered.values()].reduce((sum, { documents }) => sum + documents.length, 0);
  const documents = count <= 0xffff ? new Uint16Array(size) : new Uint32Array(size);
  const weights = new Float32Array(size);
  const postings = new Map<string, Posting>();
  let from = 0;
  for (const [term, posting] of gathered) {
    const to = from + posting.documents.length;
    documents.set(posting.documents, from);
    weights.set(posting.weights, from);
    postings.set(term, { documents: documents.subarray(from, to), weights: weights.subarray(from, to) });
    from = to;
  }
  return postings;
}

/** Converts a name to its spoken form: lower-case words with spaces. */
export function spoken(text: string): string {
  return wordsOf(text)
    .map((word) => word.text)
    .join(' ');
}

/** Adds names without the server's own name as a prefix, which many tools have. */
function namesOf(
  serverKey: string,
  documents: readonly SearchDocument[],
  said: readonly string[],
): ReadonlyMap<string, readonly number[]> {
  const prefix = `${spoken(serverKey)} `;
  const names = new Map<string, number[]>();
  const note = (name: string, place: number) => {
    const places = names.get(name) ?? [];
    places.push(place);
    names.set(name, places);
  };
  documents.forEach(({ title }, place) => {
    const name = said[place] ?? '';
    note(name, place);
    if (name.startsWith(prefix)) note(name.slice(prefix.length), place);
    if (title !== undefined && spoken(title) !== name) note(spoken(title), place);
  });
  return names;
}
