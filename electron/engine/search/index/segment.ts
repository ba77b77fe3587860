import type { MatchField } from '../../../../shared/model/tool/search.ts';
import type { ClassificationOf, SearchDocument, SkillNames, ToolClassification } from '../contract.ts';
import type { Compounds } from '../text/compounds.ts';
import { type Stems, termsOf } from '../text/terms.ts';
import { wordsOf } from '../text/words.ts';

interface FieldWeight {
  readonly weight: number;
  /** Typical number of words in this field. */
  readonly typicalLength: number;
  /** Influence of the field's length, 0 to 1. */
  readonly lengthInfluence: number;
}

/** Weights of the fields; tuned on the dev half of the evaluation, see docs/search.md. */
const fieldWeights: Readonly<Record<MatchField, FieldWeight>> = {
  name: { weight: 3.3, typicalLength: 3, lengthInfluence: 0.35 },
  title: { weight: 2, typicalLength: 3, lengthInfluence: 0.4 },
  server: { weight: 1.4, typicalLength: 1.5, lengthInfluence: 0.3 },
  description: { weight: 1, typicalLength: 14, lengthInfluence: 0.5 },
  keyword: { weight: 1.2, typicalLength: 10, lengthInfluence: 0.4 },
  parameter: { weight: 0.5, typicalLength: 4, lengthInfluence: 0.5 },
  skill: { weight: 0.6, typicalLength: 3, lengthInfluence: 0.3 },
};

/** BM25 saturation: how soon repeated words stop adding weight. */
const saturation = 2;

/** Documents by term, with the weight of the term in each. */
export type Postings = ReadonlyMap<string, readonly { readonly place: number; readonly weight: number }[]>;

/** The index of one server's listing. It is immutable. */
export interface Segment {
  readonly serverKey: string;
  readonly documents: readonly SearchDocument[];
  readonly knowledge: readonly (ToolClassification | undefined)[];
  readonly postings: Postings;
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
  const growing = new Map<string, { place: number; weight: number }[]>();
  documents.forEach((document, place) => {
    for (const [term, weight] of weigh(document, knowledge[place], source)) {
      const places = growing.get(term) ?? [];
      places.push({ place, weight: (weight * (saturation + 1)) / (weight + saturation) });
      growing.set(term, places);
    }
  });
  // A copy has no spare room, which takes most of the memory of an array that grew to a few elements.
  const postings = new Map([...growing].map(([term, places]) => [term, places.slice()] as const));
  return {
    serverKey,
    documents,
    knowledge,
    postings,
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
    const { weight, typicalLength, lengthInfluence } = fieldWeights[field];
    const each = weight / (1 - lengthInfluence + (lengthInfluence * terms.length) / typicalLength);
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
