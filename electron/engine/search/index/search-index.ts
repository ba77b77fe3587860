import type { SearchHit, SearchQuery, SearchResult } from '../../../../shared/model/tool/search.ts';
import type { ClassificationOf, SearchDocument, SkillNames } from '../contract.ts';
import { Compounds } from '../text/compounds.ts';
import { buildPhrases } from '../text/phrases.ts';
import { Stems } from '../text/terms.ts';
import { buildThesaurus, knownWords } from '../text/thesaurus.ts';
import { nameConfidence, namedQuery, withoutServer } from './exact.ts';
import { expandQuery, type QueryWord } from './expand.ts';
import { matchesOf } from './matches.ts';
import { scoreDocuments, weighWords } from './score.ts';
import { buildSegment, type Segment } from './segment.ts';
import { Vocabulary } from './vocabulary.ts';

export interface SearchIndexOptions {
  readonly knowledgeOf: ClassificationOf;
  readonly skillNames: () => SkillNames;
  /** Returns skills that a query seems to be about, with 0 to 1 each. */
  readonly skillsOfQuery: (query: string) => ReadonlyMap<string, number>;
  /** Recent calls of a server's tools, by name. */
  readonly usesOf: (serverKey: string) => ReadonlyMap<string, number> | undefined;
}

/** Context of a single search. */
export interface SearchContext {
  readonly isConnected: (serverKey: string) => boolean;
  /** Filters what the caller may see; without it, everything is visible. */
  readonly mayHave?: (document: SearchDocument) => boolean;
  /** Semantic similarity of a document, 0 to 1; absent if semantic search is off. */
  readonly meaning?: (document: SearchDocument) => number;
}

/**
 * Searches the whole catalogue by keywords. Each server has its own segment, which is replaced when its
 * listing changes.
 */
export class SearchIndex {
  readonly #options: SearchIndexOptions;
  readonly #segments = new Map<string, Segment>();
  readonly #vocabulary = new Vocabulary();
  readonly #stems = new Stems();
  readonly #compounds = new Compounds(knownWords());
  readonly #thesaurus = buildThesaurus((word) => this.#stems.of(word));
  readonly #phrases = buildPhrases(this.#stems);
  #documents = 0;

  constructor(options: SearchIndexOptions) {
    this.#options = options;
  }

  /** Replaces a server's documents; an empty list removes the server. */
  set(serverKey: string, documents: readonly SearchDocument[]): void {
    const before = this.#segments.get(serverKey);
    if (before !== undefined) {
      this.#vocabulary.remove(before);
      this.#documents -= before.documents.length;
      this.#segments.delete(serverKey);
    }
    if (documents.length === 0) return;
    const { knowledgeOf } = this.#options;
    const skillNames = this.#options.skillNames();
    const tables = { stems: this.#stems, compounds: this.#compounds };
    const segment = buildSegment({ serverKey, documents, knowledgeOf, skillNames, ...tables });
    this.#segments.set(serverKey, segment);
    this.#vocabulary.add(segment);
    this.#documents += documents.length;
  }

  get servers(): readonly string[] {
    return [...this.#segments.keys()];
  }

  /** Returns the indexed documents of a server. */
  documents(serverKey: string): readonly SearchDocument[] {
    return this.#segments.get(serverKey)?.documents ?? [];
  }

  search(query: SearchQuery, moment: SearchContext): Omit<SearchResult, 'meaning'> {
    const segments = this.#searched(query, moment);
    const words = expandQuery(query.query, {
      vocabulary: this.#vocabulary,
      documents: this.#documents,
      stems: this.#stems,
      thesaurus: this.#thesaurus,
      phrases: this.#phrases,
    });
    const passes = createFilter(query, moment);
    const { found, total } =
      query.query.trim() === ''
        ? unranked(segments, passes)
        : this.#rank(query.query, words, segments, passes, moment);
    const best = found.slice(0, query.limit);
    const skillNames = this.#options.skillNames();
    return {
      hits: best.map((one) => this.#hit(one, words, skillNames)),
      total,
      searched: { servers: segments.length, tools: countTools(segments, query) },
    };
  }

  #searched({ servers, connectedOnly }: SearchQuery, { isConnected }: SearchContext): readonly Segment[] {
    const wanted = servers === undefined ? undefined : new Set(servers);
    return [...this.#segments.values()].filter(
      ({ serverKey }) =>
        (wanted?.has(serverKey) ?? true) && (connectedOnly !== true || isConnected(serverKey)),
    );
  }

  #rank(
    query: string,
    words: readonly QueryWord[],
    segments: readonly Segment[],
    passes: (segment: Segment, place: number) => boolean,
    { meaning }: SearchContext,
  ): Ranked {
    const weighted = weighWords(words, this.#vocabulary, this.#documents);
    const ideal = weighted.reduce((sum, { weight }) => sum + weight, 0) * idealWeight;
    const skills = this.#options.skillsOfQuery(query);
    const candidates: Candidate[] = [];
    for (const segment of segments) {
      const factorOf = this.#factors(segment, passes);
      scoreDocuments(segment.postings, segment.documents.length, weighted).forEach((score, place) => {
        const points = score === 0 ? 0 : score * factorOf(place);
        if (points > 0) candidates.push({ segment, place, points });
      });
    }
    const named = namedQuery(query);
    const scored = bestOf(candidates).map((one) =>
      this.#score(one, keywordScore((one.points * skillFactor(one, skills)) / ideal), named),
    );
    for (const one of this.#byName(named, segments, passes))
      if (!scored.some(({ segment, place }) => segment === one.segment && place === one.place))
        scored.push(one);
    const mixed = meaning === undefined ? scored : addSemanticScores(scored, segments, passes, meaning);
    return { found: mixed.sort(byScore), total: Math.max(candidates.length, mixed.length) };
  }

  /** Returns the factor for a document's score; 0 excludes it. */
  #factors(segment: Segment, passes: (segment: Segment, place: number) => boolean) {
    const uses = this.#options.usesOf(segment.serverKey);
    return (place: number): number => {
      if (!passes(segment, place)) return 0;
      const document = segment.documents[place];
      const base = document?.enabled === false ? disabledFactor : 1;
      const calls = uses === undefined || document === undefined ? 0 : (uses.get(document.name) ?? 0);
      return calls === 0 ? base : base * (1 + Math.min(maxUseBoost, useBoost * Math.log2(1 + calls)));
    };
  }

  #score({ segment, place }: Candidate, lexical: number, named: ReturnType<typeof namedQuery>): Scored {
    const document = segment.documents[place];
    const name = nameConfidence(named, segment, segment.spokenNames[place] ?? '');
    const off = document?.enabled === false ? disabledFactor : 1;
    // Keywords rank items with the same name.
    const score =
      name === 0 ? lexical : Math.min(1, (name + (name < 1 ? 0.015 * lexical : 0)) * (name < 1 ? off : 1));
    return { segment, place, score };
  }

  /** Finds literal names even if they consist of stop words. */
  #byName(
    named: ReturnType<typeof namedQuery>,
    segments: readonly Segment[],
    passes: (segment: Segment, place: number) => boolean,
  ): readonly Scored[] {
    return segments.flatMap((segment) => {
      const rest = withoutServer(named, segment);
      const places = [
        ...(segment.names.get(named.spoken) ?? []),
        ...(rest === undefined ? [] : (segment.names.get(rest) ?? [])),
      ];
      return [...new Set(places)]
        .filter((place) => passes(segment, place))
        .map((place) => this.#score({ segment, place, points: 0 }, 0, named));
    });
  }

  #hit({ segment, place, score }: Scored, words: readonly QueryWord[], skillNames: SkillNames): SearchHit {
    const document = segment.documents[place];
    if (document === undefined) throw new Error('a search hit has no document');
    const { kind, serverKey, name, title, description, enabled, risk } = document;
    const knowledge = segment.knowledge[place];
    const shown = { ...document, description: description?.slice(0, maxDescriptionLength) };
    const matched = matchesOf(shown, knowledge, words, { skillNames, stems: this.#stems });
    return {
      kind,
      serverKey,
      name,
      title,
      description: shown.description,
      enabled,
      risk,
      score: Math.max(0, Math.min(1, score)),
      matched,
      isClassified: knowledge?.isClassified ?? false,
      skills: knowledge?.skills ?? [],
      primarySkill: knowledge?.primarySkill,
    };
  }
}

interface Candidate {
  readonly segment: Segment;
  readonly place: number;
  readonly points: number;
}

interface Scored {
  readonly segment: Segment;
  readonly place: number;
  readonly score: number;
}

interface Ranked {
  readonly found: readonly Scored[];
  readonly total: number;
}

/** Points of a document that has every word in its name. */
const idealWeight = 1.7;
const skillBoost = 0.5;
const disabledFactor = 0.9;
const useBoost = 0.02;
const maxUseBoost = 0.15;
const maxKeywordScore = 0.89;

/** Candidates whose names are compared with the query; more than any allowed limit. */
const maxRanked = 300;

/** Returns the best candidates, best first; numbers alone are sorted in a fraction of the time. */
function bestOf(candidates: readonly Candidate[]): readonly Candidate[] {
  const least = Float64Array.from(candidates, ({ points }) => points)
    .sort()
    .at(-maxRanked);
  return candidates
    .filter(({ points }) => points >= (least ?? 0))
    .sort((one, other) => other.points - one.points)
    .slice(0, maxRanked);
}

/** Characters of a description in a hit. */
const maxDescriptionLength = 400;

/** Boosts tools with the query's skills. */
function skillFactor({ segment, place }: Candidate, skills: ReadonlyMap<string, number>): number {
  const shares = segment.knowledge[place]?.skills ?? [];
  return shares.reduce(
    (all, { id, confidence }) => all * (1 + skillBoost * (skills.get(id) ?? 0) * confidence),
    1,
  );
}

/** Returns the keyword score, 0 to 1, always below a literal name. */
function keywordScore(share: number): number {
  return maxKeywordScore * (1 - Math.exp(-1.5 * share));
}

function createFilter({ kinds, skills, risks, enabledOnly }: SearchQuery, { mayHave }: SearchContext) {
  const wantedKinds = kinds === undefined ? undefined : new Set(kinds);
  const wantedRisks = risks === undefined ? undefined : new Set(risks);
  if (!(kinds || skills || risks || enabledOnly || mayHave)) return () => true;
  return (segment: Segment, place: number): boolean => {
    const document = segment.documents[place];
    if (document === undefined) return false;
    if (wantedKinds !== undefined && !wantedKinds.has(document.kind)) return false;
    if (wantedRisks !== undefined && !wantedRisks.has(document.risk)) return false;
    if (enabledOnly === true && !document.enabled) return false;
    if (mayHave?.(document) === false) return false;
    if (skills === undefined) return true;
    return segment.knowledge[place]?.skills.some(({ id }) => skills.includes(id)) ?? false;
  };
}

/** Returns everything that passes the filter, in catalogue order, for an empty query. */
function unranked(
  segments: readonly Segment[],
  passes: (segment: Segment, place: number) => boolean,
): Ranked {
  const found = segments.flatMap((segment) =>
    segment.documents.flatMap((_, place) => (passes(segment, place) ? [{ segment, place, score: 0 }] : [])),
  );
  return { found, total: found.length };
}

function countTools(segments: readonly Segment[], { enabledOnly }: SearchQuery): number {
  return segments.reduce((sum, one) => sum + (enabledOnly === true ? one.enabledTools : one.tools), 0);
}

/**
 * Weight of semantic similarity. Both scores are normalised by their own maximum, since their scales differ.
 */
const semanticWeight = 0.4;

function addSemanticScores(
  scored: readonly Scored[],
  segments: readonly Segment[],
  passes: (segment: Segment, place: number) => boolean,
  meaning: (document: SearchDocument) => number,
): Scored[] {
  const lexical = new Map(scored.map((one) => [one.segment.documents[one.place], one]));
  // Loops instead of nested arrays take a third of the time; this runs over thousands of documents per key
  // press.
  const near: { segment: Segment; place: number; document: SearchDocument; value: number }[] = [];
  let nearest = 1e-6;
  for (const segment of segments)
    for (const [place, document] of segment.documents.entries()) {
      if (!passes(segment, place)) continue;
      const value = meaning(document);
      near.push({ segment, place, document, value });
      nearest = Math.max(nearest, value);
    }
  const highest = Math.max(1e-6, ...scored.map(({ score }) => (score > maxKeywordScore ? 0 : score)));
  const mixed: Scored[] = [];
  for (const { segment, place, document, value } of near) {
    const words = lexical.get(document)?.score ?? 0;
    const isFar = words === 0 && value < nearest * minSimilarityRatio;
    const both = (1 - semanticWeight) * (words / highest) + semanticWeight * (value / nearest);
    if (!isFar)
      mixed.push({ segment, place, score: words > maxKeywordScore ? words : both * maxKeywordScore });
  }
  return mixed;
}

/** Without a matching word, only documents nearly as similar as the most similar one count. */
const minSimilarityRatio = 0.75;

function byScore(one: Scored, other: Scored): number {
  return other.score - one.score;
}
