import { toProblem } from '../../../../shared/error/problem.ts';
import type { EmbeddingSource, SemanticSearchState } from '../../../../shared/model/search.ts';
import { type Disposable, Emitter } from '../../base/emitter.ts';
import type { ClassificationOf, SearchDocument, VectorStorage } from '../../search/contract.ts';
import type { Embedder } from '../../search/meaning/embedder.ts';
import type { SemanticIndex, Similarity } from '../../search/meaning/meaning.ts';
import { chooseEmbedder, type EmbedderSources } from './choose-embedder.ts';

type SearchModule = typeof import('../../search/room.ts');
type Source = Exclude<EmbeddingSource, { kind: 'off' }>;

export interface SemanticSearchOptions extends EmbedderSources {
  readonly keeper: VectorStorage;
  readonly report: (error: unknown) => void;
}

/** Result of semantic search for a query: nothing if it is off or its provider cannot answer. */
export type SemanticAnswer =
  | { readonly kind: 'off' | 'starting' | 'failed' }
  | { readonly kind: 'used'; readonly similarity: Similarity };

/** A chosen provider with its stored vectors. */
interface Provider {
  readonly embedder: Embedder;
  readonly meaning: SemanticIndex;
  isLoading: boolean;
}

/** Adds semantic search where the settings ask for it. If it fails, keyword search remains. */
export class SemanticSearch implements Disposable {
  readonly #options: SemanticSearchOptions;
  readonly #changes = new Emitter<SemanticSearchState>();
  /** Fires when the state changes. */
  readonly onState = this.#changes.event;
  #source: EmbeddingSource = { kind: 'off' };
  #made: Provider | undefined;
  #making: Promise<Provider> | undefined;
  #madeAt = 0;
  #failure: { readonly at: number; readonly error: unknown } | undefined;

  constructor(options: SemanticSearchOptions) {
    this.#options = options;
  }

  /**
   * Runs for each search, so it waits neither for a provider that has just failed nor for a model to load.
   */
  async ask(
    search: SearchModule,
    source: EmbeddingSource,
    query: string,
    documents: () => readonly SearchDocument[],
    knowledgeOf: ClassificationOf,
  ): Promise<SemanticAnswer> {
    if (source.kind === 'off' || query.trim() === '') return { kind: 'off' };
    this.#switchTo(source);
    if (this.#hasJustFailed()) return { kind: 'failed' };
    let made: Provider | undefined;
    try {
      made = await this.#madeBy(search, source, knowledgeOf);
      this.#learn(made, documents());
      if (made.isLoading || this.#made !== made) return { kind: 'starting' };
      return { kind: 'used', similarity: await made.meaning.similarityTo(query) };
    } catch (error) {
      this.#failOf(source, made, error);
      return { kind: 'failed' };
    }
  }

  /** Starts with the chosen source before the first search. */
  async begin(
    search: SearchModule,
    source: EmbeddingSource,
    documents: () => readonly SearchDocument[],
    knowledgeOf: ClassificationOf,
  ): Promise<void> {
    this.#switchTo(source);
    this.#failure = undefined;
    try {
      if (source.kind !== 'off') this.#learn(await this.#madeBy(search, source, knowledgeOf), documents());
    } catch (error) {
      this.#failOf(source, undefined, error);
    }
    this.#notify();
  }

  /** Returns the state of the chosen source without loading anything. */
  state(source: EmbeddingSource): SemanticSearchState {
    if (source.kind === 'off') return { kind: 'off' };
    return this.#isChosen(source) ? this.#state() : { kind: 'resting' };
  }

  skillsChanged(): void {
    this.#made?.meaning.skillsChanged();
  }

  dispose(): void {
    this.#switchTo({ kind: 'off' });
    this.#changes.dispose();
  }

  #switchTo(source: EmbeddingSource): void {
    if (this.#isChosen(source)) return;
    this.#drop();
    this.#source = source;
    this.#failure = undefined;
  }

  #isChosen(source: EmbeddingSource): boolean {
    return JSON.stringify(source) === JSON.stringify(this.#source);
  }

  #drop(): void {
    const before = this.#made;
    this.#made = undefined;
    this.#making = undefined;
    before?.embedder.model?.dispose();
  }

  /** Checks every few seconds, while searches run, whether the model files have changed. */
  #madeBy(search: SearchModule, source: Source, knowledgeOf: ClassificationOf): Promise<Provider> {
    const now = this.#options.clock.uptime();
    const isFresh = source.kind !== 'folder' || now - this.#madeAt < freshMs;
    if (this.#made !== undefined && isFresh) return Promise.resolve(this.#made);
    if (this.#making !== undefined) return this.#making;
    const making = this.#make(search, source, knowledgeOf).finally(() => {
      if (this.#making === making) this.#making = undefined;
    });
    this.#making = making;
    return making;
  }

  async #make(search: SearchModule, source: Source, knowledgeOf: ClassificationOf): Promise<Provider> {
    const embedder = await chooseEmbedder(search, source, this.#options);
    const meaning = search.openSemanticIndex({
      embedder,
      keeper: this.#options.keeper,
      knowledgeOf,
      onLearned: () => this.#notify(),
    });
    const made: Provider = { embedder, meaning, isLoading: false };
    // Another source was chosen meanwhile.
    if (!this.#isChosen(source)) return made;
    this.#madeAt = this.#options.clock.uptime();
    if (this.#made?.embedder.tag === embedder.tag) return this.#made;
    this.#drop();
    this.#made = made;
    return made;
  }

  #learn(made: Provider, documents: readonly SearchDocument[]): void {
    if (this.#made !== made) return;
    if (made.embedder.model?.isLoaded() === false && !made.isLoading) this.#load(made);
    made.meaning.learn(documents).catch((error: unknown) => {
      if (this.#made === made) this.#fail(error);
    });
  }

  #load(made: Provider): void {
    made.isLoading = true;
    const ended = () => {
      made.isLoading = false;
      this.#notify();
    };
    // A load error also fails learn(), which reports it.
    made.embedder.model?.load().then(ended, ended);
    this.#notify();
  }

  #state(): SemanticSearchState {
    if (this.#source.kind === 'off') return { kind: 'off' };
    if (this.#failure !== undefined) return { kind: 'failed', problem: toProblem(this.#failure.error) };
    if (this.#made === undefined) return { kind: this.#making === undefined ? 'resting' : 'starting' };
    if (this.#made.isLoading) return { kind: 'starting' };
    const progress = this.#made.meaning.progress();
    return { kind: progress.known < progress.total ? 'learning' : 'ready', ...progress };
  }

  #notify(): void {
    if (this.#changes.hasListeners) this.#changes.fire(this.#state());
  }

  #hasJustFailed(): boolean {
    const { at } = this.#failure ?? {};
    if (at === undefined) return false;
    if (this.#options.clock.uptime() - at < retryDelayMs) return true;
    this.#failure = undefined;
    return false;
  }

  /** Ignores failures of a source that is no longer in use. */
  #failOf(source: EmbeddingSource, made: Provider | undefined, error: unknown): void {
    if (this.#isChosen(source) && (made === undefined || made === this.#made)) this.#fail(error);
  }

  #fail(error: unknown): void {
    this.#failure = { at: this.#options.clock.uptime(), error };
    this.#options.report(error);
    this.#notify();
  }
}

/** Milliseconds before a failed provider is used again. */
const retryDelayMs = 30_000;

/** Milliseconds before the files are checked again. */
const freshMs = 5_000;
