import { toProblem } from '../../../../shared/error/problem.ts';
import type { EmbeddingSource, SemanticSearchState } from '../../../../shared/model/tool/search.ts';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, Emitter } from '../../base/emitter.ts';
import type { ClassificationOf, SearchDocument, VectorStorage } from '../contract.ts';
import type { SemanticIndex, Similarity } from '../meaning/semantic-index.ts';
import { type ClassifierSources, chooseEmbedder } from './choose-provider.ts';

type SearchModule = typeof import('../search-module.ts');
type Source = Exclude<EmbeddingSource, { kind: 'off' }>;

export interface SemanticSearchOptions extends Pick<ClassifierSources, 'secret'> {
  readonly clock: Clock;
  readonly keeper: VectorStorage;
  readonly report: (error: unknown) => void;
}

/** Result of semantic search for a query: nothing if it is off or its provider cannot answer. */
export type SemanticAnswer =
  | { readonly kind: 'off' | 'failed' }
  | { readonly kind: 'used'; readonly similarity: Similarity };

/** A source that was chosen, with its vectors. */
interface Chosen {
  readonly source: Source;
  readonly meaning: SemanticIndex;
}

interface Working extends Chosen {
  readonly kind: 'working';
}

interface Failed extends Chosen {
  readonly kind: 'failed';
  readonly at: number;
  readonly error: unknown;
}

type State = { readonly kind: 'off' } | Working | Failed;

/** Adds semantic search where the settings ask for it. If it fails, keyword search remains. */
export class SemanticSearch implements Disposable {
  readonly #options: SemanticSearchOptions;
  readonly #changes = new Emitter<SemanticSearchState>();
  /** Fires when the state changes. */
  readonly onState = this.#changes.event;
  #state: State = { kind: 'off' };

  constructor(options: SemanticSearchOptions) {
    this.#options = options;
  }

  /** Runs for each search, so it does not wait for a provider that has just failed. */
  async ask(
    search: SearchModule,
    source: EmbeddingSource,
    query: string,
    documents: () => readonly SearchDocument[],
    knowledgeOf: ClassificationOf,
  ): Promise<SemanticAnswer> {
    if (source.kind === 'off' || query.trim() === '') return { kind: 'off' };
    if (this.#hasJustFailed(source)) return { kind: 'failed' };
    const chosen = this.#choose(search, source, knowledgeOf);
    this.#learn(chosen, documents());
    try {
      return { kind: 'used', similarity: await chosen.meaning.similarityTo(query) };
    } catch (error) {
      this.#fail(chosen, error);
      return { kind: 'failed' };
    }
  }

  /** Starts with the chosen source before the first search. */
  begin(
    search: SearchModule,
    source: EmbeddingSource,
    documents: () => readonly SearchDocument[],
    knowledgeOf: ClassificationOf,
  ): void {
    if (source.kind === 'off') this.#state = { kind: 'off' };
    else this.#learn(this.#choose(search, source, knowledgeOf), documents());
    this.#notify();
  }

  /** Returns the state of the chosen source without loading anything. */
  state(source: EmbeddingSource): SemanticSearchState {
    if (source.kind === 'off') return { kind: 'off' };
    return isOf(this.#state, source) ? this.#view() : { kind: 'resting' };
  }

  skillsChanged(): void {
    if (this.#state.kind !== 'off') this.#state.meaning.skillsChanged();
  }

  dispose(): void {
    this.#state = { kind: 'off' };
    this.#changes.dispose();
  }

  #hasJustFailed(source: Source): boolean {
    const state = this.#state;
    if (!isOf(state, source) || state.kind !== 'failed') return false;
    return this.#options.clock.uptime() - state.at < retryDelayMs;
  }

  /**
   * Keeps a provider that is in use, with its vectors. After a failure it starts again, since requests in
   * progress may fail later; the vectors are in the store.
   */
  #choose(search: SearchModule, source: Source, knowledgeOf: ClassificationOf): Working {
    if (isOf(this.#state, source) && this.#state.kind === 'working') return this.#state;
    const embedder = chooseEmbedder(search, source, this.#options);
    const onLearned = () => this.#notify();
    const { keeper } = this.#options;
    return {
      kind: 'working',
      source,
      meaning: search.openSemanticIndex({ embedder, keeper, knowledgeOf, onLearned }),
    };
  }

  /** Gets missing vectors in the background. */
  #learn(chosen: Working, documents: readonly SearchDocument[]): void {
    this.#state = chosen;
    chosen.meaning.learn(documents).catch((error: unknown) => this.#fail(chosen, error));
  }

  /** Ignores further failures, and those of a provider that is no longer in use. */
  #fail(chosen: Working, error: unknown): void {
    if (this.#state !== chosen) return;
    this.#state = { ...chosen, kind: 'failed', at: this.#options.clock.uptime(), error };
    this.#options.report(error);
    this.#notify();
  }

  #notify(): void {
    if (this.#changes.hasListeners) this.#changes.fire(this.#view());
  }

  #view(): SemanticSearchState {
    if (this.#state.kind === 'off') return { kind: 'off' };
    if (this.#state.kind === 'failed') return { kind: 'failed', problem: toProblem(this.#state.error) };
    const progress = this.#state.meaning.progress();
    return { kind: progress.known < progress.total ? 'learning' : 'ready', ...progress };
  }
}

function isOf(state: State, source: Source): state is Working | Failed {
  return state.kind !== 'off' && JSON.stringify(state.source) === JSON.stringify(source);
}

/** Milliseconds before a failed provider is used again. */
const retryDelayMs = 30_000;
