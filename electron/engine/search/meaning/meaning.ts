import type { SkillShare } from '../../../../shared/model/skill.ts';
import { digestOf } from '../../base/digest.ts';
import type { ClassificationOf, SearchDocument, VectorStorage } from '../contract.ts';
import { spoken } from '../index/segment.ts';
import type { Embedder } from './embedder.ts';
import { normalised } from './normalised.ts';

export interface SemanticIndexOptions {
  readonly embedder: Embedder;
  readonly keeper: VectorStorage;
  readonly knowledgeOf: ClassificationOf;
  /** Called when more vectors are known. */
  readonly onLearned?: () => void;
}

/** Returns the semantic similarity of a document to the query, 0 to 1. */
export type Similarity = (document: SearchDocument) => number;

/**
 * Compares documents and queries by their vectors; documents without a vector yet are found only by keywords.
 * A linear scan over ten thousand vectors takes a few milliseconds, so there is no index.
 */
export class SemanticIndex {
  readonly #options: SemanticIndexOptions;
  readonly #vectors = new Map<string, Float32Array>();
  readonly #digests = new WeakMap<SearchDocument, string>();
  readonly #queries = new Map<string, Float32Array>();
  #documents: readonly SearchDocument[] = [];
  /** Cached vectors, since each search needs thousands. */
  readonly #byDocument = new WeakMap<SearchDocument, Float32Array>();
  #shares = new WeakMap<SearchDocument, readonly SkillShare[]>();
  #isComplete = false;
  #skills: ReadonlyMap<string, Float32Array> | undefined;
  #mean: Float32Array | undefined;
  #learning: Promise<void> | undefined;

  constructor(options: SemanticIndexOptions) {
    this.#options = options;
  }

  /** Gets missing vectors from the store or the embedder. Rejects if the embedder fails. */
  learn(documents: readonly SearchDocument[]): Promise<void> {
    if (!isSameList(this.#documents, documents)) {
      this.#documents = documents;
      this.#isComplete = false;
      this.#skills = undefined;
      this.#mean = undefined;
    }
    this.#learning ??= this.#learnNow().finally(() => {
      this.#learning = undefined;
    });
    return this.#learning;
  }

  /** Counts distinct texts, and those with vectors. */
  progress(): { readonly known: number; readonly total: number } {
    const digests = new Set(this.#documents.map((document) => this.#digestOf(document)));
    const known = [...digests].filter((digest) => this.#vectors.has(digest)).length;
    return { known, total: digests.size };
  }

  /** Must be called when skills of tools have changed. */
  skillsChanged(): void {
    this.#skills = undefined;
    this.#shares = new WeakMap();
  }

  /** Returns the mean vector of each skill's tools. */
  skillVectors(): ReadonlyMap<string, Float32Array> {
    this.#skills ??= this.#meanBySkill();
    return this.#skills;
  }

  /** Rejects if the embedder fails. */
  async similarityTo(query: string): Promise<Similarity> {
    const asked = await this.#queryVector(query.trim().slice(0, maxQueryLength));
    const base = baseOf(product(asked, this.#meanVector()));
    const similarity = (vector: Float32Array) => (product(asked, vector) - base) / (1 - base);
    const skills = new Map([...this.skillVectors()].map(([id, vector]) => [id, similarity(vector)]));
    return (document) => {
      const own = this.#vectorOf(document);
      if (own === undefined) return 0;
      let bySkill = 0;
      for (const { id, confidence } of this.#sharesOf(document))
        bySkill = Math.max(bySkill, (skills.get(id) ?? 0) * confidence);
      return Math.min(1, Math.max(0, (1 - skillShare) * similarity(own) + skillShare * bySkill));
    };
  }

  async #learnNow(): Promise<void> {
    const { embedder, keeper, onLearned } = this.#options;
    if (this.#isComplete) return;
    const documents = this.#documents;
    const missing = this.#missing();
    const kept = missing.size === 0 ? [] : await keeper.vectors(embedder.tag, [...missing.keys()]);
    for (const [digest, vector] of kept) {
      this.#vectors.set(digest, vector);
      missing.delete(digest);
    }
    onLearned?.();
    const left = [...missing];
    for (let from = 0; from < left.length; from += batchSize) {
      const some = left.slice(from, from + batchSize);
      const vectors = await embedder.embed(
        some.map(([, text]) => text),
        batchTimeoutMs,
      );
      const learned = new Map(
        some.flatMap(([digest], at) => (vectors[at] ? [[digest, vectors[at]] as const] : [])),
      );
      for (const [digest, vector] of learned) this.#vectors.set(digest, vector);
      this.#skills = undefined;
      this.#mean = undefined;
      await keeper.saveVectors(embedder.tag, learned);
      onLearned?.();
    }
    this.#isComplete = documents === this.#documents;
  }

  #missing(): Map<string, string> {
    const missing = new Map<string, string>();
    for (const document of this.#documents) {
      const digest = this.#digestOf(document);
      if (!this.#vectors.has(digest)) missing.set(digest, textOf(document));
    }
    return missing;
  }

  #digestOf(document: SearchDocument): string {
    const known = this.#digests.get(document);
    if (known !== undefined) return known;
    const digest = digestOf(textOf(document)).slice(0, 24);
    this.#digests.set(document, digest);
    return digest;
  }

  #vectorOf(document: SearchDocument): Float32Array | undefined {
    const known = this.#byDocument.get(document);
    if (known !== undefined) return known;
    const vector = this.#vectors.get(this.#digestOf(document));
    if (vector !== undefined) this.#byDocument.set(document, vector);
    return vector;
  }

  #sharesOf(document: SearchDocument): readonly SkillShare[] {
    const known = this.#shares.get(document);
    if (known !== undefined) return known;
    const shares = this.#options.knowledgeOf(document.serverKey, document.name)?.skills ?? [];
    this.#shares.set(document, shares);
    return shares;
  }

  async #queryVector(query: string): Promise<Float32Array> {
    const known = this.#queries.get(query);
    if (known !== undefined) return known;
    const [vector = new Float32Array(0)] = await this.#options.embedder.embed([query], queryTimeoutMs);
    if (this.#queries.size >= maxCachedQueries) this.#queries.clear();
    this.#queries.set(query, vector);
    return vector;
  }

  /** Mean vector of all documents, scaled down for small sets, whose mean is unreliable. */
  #meanVector(): Float32Array {
    this.#mean ??= this.#meanOfAll();
    return this.#mean;
  }

  #meanOfAll(): Float32Array {
    let count = zeroVectors;
    let mean = new Float32Array(0);
    for (const document of this.#documents) {
      const vector = this.#vectorOf(document);
      if (vector === undefined) continue;
      if (mean.length === 0) mean = new Float32Array(vector.length);
      addTo(mean, vector);
      count += 1;
    }
    return mean.map((one) => one / count);
  }

  #meanBySkill(): ReadonlyMap<string, Float32Array> {
    const sums = new Map<string, Float32Array>();
    for (const document of this.#documents) {
      const vector = this.#vectorOf(document);
      if (vector === undefined) continue;
      for (const { id } of this.#sharesOf(document)) {
        const sum = sums.get(id) ?? new Float32Array(vector.length);
        addTo(sum, vector);
        sums.set(id, sum);
      }
    }
    return new Map([...sums].map(([id, sum]) => [id, normalised(sum)]));
  }
}

/**
 * Returns an offset that makes similarities of different models comparable. Some models (E5) give every pair
 * at least 0.7, so every query would match everything.
 */
function baseOf(usual: number): number {
  return Math.min(0.95, Math.max(0, (usual - typicalSimilarity) / (1 - typicalSimilarity)));
}

function isSameList(one: readonly SearchDocument[], other: readonly SearchDocument[]): boolean {
  return one.length === other.length && one.every((document, at) => document === other[at]);
}

function textOf({ serverKey, name, title, description }: SearchDocument): string {
  const said = [spoken(serverKey), spoken(name), title, description?.slice(0, maxTextLength)];
  return said.filter((part) => part !== undefined && part !== '').join('. ');
}

function addTo(sum: Float32Array, vector: Float32Array): void {
  for (let at = 0; at < sum.length; at += 1) sum[at] = (sum[at] ?? 0) + (vector[at] ?? 0);
}

function product(one: Float32Array, other: Float32Array): number {
  if (one.length !== other.length) return 0;
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}

const batchSize = 64;

/** Counted as additional zero vectors in the mean. */
const zeroVectors = 10;

/** Typical similarity of unrelated texts in models that separate them well. */
const typicalSimilarity = 0.3;
const maxTextLength = 600;
const maxQueryLength = 400;
const maxCachedQueries = 500;

/** Weight of a tool's skills relative to its own text. */
const skillShare = 0.15;

/** Milliseconds per batch, in the background. */
const batchTimeoutMs = 60_000;

/** Milliseconds that a search may wait for semantic results. */
const queryTimeoutMs = 1_500;
