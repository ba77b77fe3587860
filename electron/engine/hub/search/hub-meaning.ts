import { toProblem } from '../../../../shared/error/problem.ts';
import type { MeaningSource, MeaningState } from '../../../../shared/model/search.ts';
import { type Disposable, Emitter } from '../../base/emitter.ts';
import type { KnowledgeOf, SearchDocument, VectorKeeper } from '../../search/contract.ts';
import type { Embedder } from '../../search/meaning/embedder.ts';
import type { Meaning, Nearness } from '../../search/meaning/meaning.ts';
import { chooseEmbedder, type EmbedderSources } from './choose-embedder.ts';

type Room = typeof import('../../search/room.ts');
type Source = Exclude<MeaningSource, { kind: 'off' }>;

export interface HubMeaningOptions extends EmbedderSources {
  readonly keeper: VectorKeeper;
  readonly report: (error: unknown) => void;
}

/** Result of semantic search for a query: nothing if it is off or its provider cannot answer. */
export type MeaningAnswer =
  | { readonly kind: 'off' | 'starting' | 'failed' }
  | { readonly kind: 'used'; readonly nearness: Nearness };

/** A chosen provider with its stored vectors. */
interface Made {
  readonly embedder: Embedder;
  readonly meaning: Meaning;
  isLoading: boolean;
}

/** Adds semantic search where the settings ask for it. If it fails, keyword search remains. */
export class HubMeaning implements Disposable {
  readonly #options: HubMeaningOptions;
  readonly #changes = new Emitter<MeaningState>();
  /** Fires when the state changes. */
  readonly onState = this.#changes.event;
  #source: MeaningSource = { kind: 'off' };
  #made: Made | undefined;
  #making: Promise<Made> | undefined;
  #madeAt = 0;
  #failure: { readonly at: number; readonly error: unknown } | undefined;

  constructor(options: HubMeaningOptions) {
    this.#options = options;
  }

  /**
   * Runs for each search, so it waits neither for a provider that has just failed nor for a model to load.
   */
  async ask(
    room: Room,
    source: MeaningSource,
    query: string,
    documents: () => readonly SearchDocument[],
    knowledgeOf: KnowledgeOf,
  ): Promise<MeaningAnswer> {
    if (source.kind === 'off' || query.trim() === '') return { kind: 'off' };
    this.#turnTo(source);
    if (this.#hasJustFailed()) return { kind: 'failed' };
    let made: Made | undefined;
    try {
      made = await this.#madeBy(room, source, knowledgeOf);
      this.#learn(made, documents());
      if (made.isLoading || this.#made !== made) return { kind: 'starting' };
      return { kind: 'used', nearness: await made.meaning.nearnessTo(query) };
    } catch (error) {
      this.#failOf(source, made, error);
      return { kind: 'failed' };
    }
  }

  /** Starts with the chosen source before the first search. */
  async begin(
    room: Room,
    source: MeaningSource,
    documents: () => readonly SearchDocument[],
    knowledgeOf: KnowledgeOf,
  ): Promise<void> {
    this.#turnTo(source);
    this.#failure = undefined;
    try {
      if (source.kind !== 'off') this.#learn(await this.#madeBy(room, source, knowledgeOf), documents());
    } catch (error) {
      this.#failOf(source, undefined, error);
    }
    this.#tell();
  }

  /** Returns the state of the chosen source without loading anything. */
  state(source: MeaningSource): MeaningState {
    if (source.kind === 'off') return { kind: 'off' };
    return this.#isChosen(source) ? this.#state() : { kind: 'resting' };
  }

  skillsChanged(): void {
    this.#made?.meaning.skillsChanged();
  }

  dispose(): void {
    this.#turnTo({ kind: 'off' });
    this.#changes.dispose();
  }

  #turnTo(source: MeaningSource): void {
    if (this.#isChosen(source)) return;
    this.#drop();
    this.#source = source;
    this.#failure = undefined;
  }

  #isChosen(source: MeaningSource): boolean {
    return JSON.stringify(source) === JSON.stringify(this.#source);
  }

  #drop(): void {
    const before = this.#made;
    this.#made = undefined;
    this.#making = undefined;
    before?.embedder.model?.dispose();
  }

  /** Checks every few seconds, while searches run, whether the model files have changed. */
  #madeBy(room: Room, source: Source, knowledgeOf: KnowledgeOf): Promise<Made> {
    const now = this.#options.clock.uptime();
    const isFresh = source.kind !== 'folder' || now - this.#madeAt < freshMs;
    if (this.#made !== undefined && isFresh) return Promise.resolve(this.#made);
    if (this.#making !== undefined) return this.#making;
    const making = this.#make(room, source, knowledgeOf).finally(() => {
      if (this.#making === making) this.#making = undefined;
    });
    this.#making = making;
    return making;
  }

  async #make(room: Room, source: Source, knowledgeOf: KnowledgeOf): Promise<Made> {
    const embedder = await chooseEmbedder(room, source, this.#options);
    const meaning = room.openMeaning({
      embedder,
      keeper: this.#options.keeper,
      knowledgeOf,
      onLearned: () => this.#tell(),
    });
    const made: Made = { embedder, meaning, isLoading: false };
    // Another source was chosen meanwhile.
    if (!this.#isChosen(source)) return made;
    this.#madeAt = this.#options.clock.uptime();
    if (this.#made?.embedder.tag === embedder.tag) return this.#made;
    this.#drop();
    this.#made = made;
    return made;
  }

  #learn(made: Made, documents: readonly SearchDocument[]): void {
    if (this.#made !== made) return;
    if (made.embedder.model?.isLoaded() === false && !made.isLoading) this.#load(made);
    made.meaning.learn(documents).catch((error: unknown) => {
      if (this.#made === made) this.#fail(error);
    });
  }

  #load(made: Made): void {
    made.isLoading = true;
    const ended = () => {
      made.isLoading = false;
      this.#tell();
    };
    // A load error also fails learn(), which reports it.
    made.embedder.model?.load().then(ended, ended);
    this.#tell();
  }

  #state(): MeaningState {
    if (this.#source.kind === 'off') return { kind: 'off' };
    if (this.#failure !== undefined) return { kind: 'failed', problem: toProblem(this.#failure.error) };
    if (this.#made === undefined) return { kind: this.#making === undefined ? 'resting' : 'starting' };
    if (this.#made.isLoading) return { kind: 'starting' };
    const progress = this.#made.meaning.progress();
    return { kind: progress.known < progress.total ? 'learning' : 'ready', ...progress };
  }

  #tell(): void {
    if (this.#changes.hasListeners) this.#changes.fire(this.#state());
  }

  #hasJustFailed(): boolean {
    const { at } = this.#failure ?? {};
    if (at === undefined) return false;
    if (this.#options.clock.uptime() - at < restMs) return true;
    this.#failure = undefined;
    return false;
  }

  /** Ignores failures of a source that is no longer in use. */
  #failOf(source: MeaningSource, made: Made | undefined, error: unknown): void {
    if (this.#isChosen(source) && (made === undefined || made === this.#made)) this.#fail(error);
  }

  #fail(error: unknown): void {
    this.#failure = { at: this.#options.clock.uptime(), error };
    this.#options.report(error);
    this.#tell();
  }
}

/** Milliseconds before a failed provider is used again. */
const restMs = 30_000;

/** Milliseconds before the files are checked again. */
const freshMs = 5_000;
