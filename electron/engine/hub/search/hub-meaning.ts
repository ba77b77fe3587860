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

/** What meaning says to a search: nothing where it is off, nothing either while its provider cannot answer. */
export type MeaningAnswer =
  | { readonly kind: 'off' | 'starting' | 'failed' }
  | { readonly kind: 'used'; readonly nearness: Nearness };

/** A provider that was chosen, with what is known by it. */
interface Made {
  readonly embedder: Embedder;
  readonly meaning: Meaning;
  isLoading: boolean;
}

/** Lets meaning count in a search where that is wanted. Whatever goes wrong with it, words are left. */
export class HubMeaning implements Disposable {
  readonly #options: HubMeaningOptions;
  readonly #changes = new Emitter<MeaningState>();
  /** How far it is, whenever that is another than before. */
  readonly onState = this.#changes.event;
  #source: MeaningSource = { kind: 'off' };
  #made: Made | undefined;
  #making: Promise<Made> | undefined;
  #madeAt = 0;
  #failure: { readonly at: number; readonly error: unknown } | undefined;

  constructor(options: HubMeaningOptions) {
    this.#options = options;
  }

  /** Asked for each search, which must not wait for a provider that has just not answered, nor for a model to be loaded. */
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

  /** Begins anew by what was chosen, before anybody searches. */
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

  /** How far what is chosen is; nothing is loaded to tell it. */
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

  /** Files may be others than they were: they are looked at every few seconds while somebody searches. */
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
    // Another one was chosen meanwhile, which is none of this one's business.
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
    // Whoever learns hears of it as well, and tells it.
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

  /** What was asked of one that is not in use any more says nothing of the one that is. */
  #failOf(source: MeaningSource, made: Made | undefined, error: unknown): void {
    if (this.#isChosen(source) && (made === undefined || made === this.#made)) this.#fail(error);
  }

  #fail(error: unknown): void {
    this.#failure = { at: this.#options.clock.uptime(), error };
    this.#options.report(error);
    this.#tell();
  }
}

/** Milliseconds in which a provider that has failed is not asked again. */
const restMs = 30_000;

/** Milliseconds that files are taken for unchanged. */
const freshMs = 5_000;
