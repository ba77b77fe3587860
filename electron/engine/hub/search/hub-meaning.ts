import type { MeaningSource } from '../../../../shared/model/search.ts';
import type { Clock } from '../../base/clock.ts';
import type { KnowledgeOf, SearchDocument, VectorKeeper } from '../../search/contract.ts';
import type { Meaning, Nearness } from '../../search/meaning/meaning.ts';
import { type ClassifierSources, keyOf } from './choose-classifier.ts';

type Room = typeof import('../../search/room.ts');

export interface HubMeaningOptions {
  readonly clock: Clock;
  readonly keeper: VectorKeeper;
  readonly secret: ClassifierSources['secret'];
  readonly report: (error: unknown) => void;
}

/** What meaning says to a search: nothing where it is off, nothing either where its provider does not answer. */
export type MeaningAnswer =
  | { readonly kind: 'off' | 'failed' }
  | { readonly kind: 'used'; readonly nearness: Nearness };

/** Lets meaning count in a search where that is wanted. Whatever goes wrong with it, words are left. */
export class HubMeaning {
  readonly #options: HubMeaningOptions;
  #made: { readonly source: string; readonly meaning: Meaning } | undefined;
  #failedAt: number | undefined;

  constructor(options: HubMeaningOptions) {
    this.#options = options;
  }

  /** Asked for each search, which must not wait for a provider that has just not answered. */
  async ask(
    room: Room,
    source: MeaningSource,
    query: string,
    documents: () => readonly SearchDocument[],
    knowledgeOf: KnowledgeOf,
  ): Promise<MeaningAnswer> {
    if (source.kind === 'off' || query.trim() === '') return { kind: 'off' };
    const meaning = this.#meaningBy(room, source, knowledgeOf);
    if (this.#hasJustFailed()) return { kind: 'failed' };
    meaning.learn(documents()).catch((error: unknown) => this.#fail(error));
    try {
      return { kind: 'used', nearness: await meaning.nearnessTo(query) };
    } catch (error) {
      this.#fail(error);
      return { kind: 'failed' };
    }
  }

  skillsChanged(): void {
    this.#made?.meaning.skillsChanged();
  }

  #meaningBy(room: Room, source: Exclude<MeaningSource, { kind: 'off' }>, knowledgeOf: KnowledgeOf): Meaning {
    const name = JSON.stringify(source);
    if (this.#made?.source === name) return this.#made.meaning;
    const { kind, url, model } = source;
    const endpoint = { url, model, key: keyOf(source.secret, this.#options.secret) };
    const embedder = kind === 'ollama' ? room.ollamaEmbedder(endpoint) : room.openAiEmbedder(endpoint);
    const meaning = room.openMeaning({ embedder, keeper: this.#options.keeper, knowledgeOf });
    this.#made = { source: name, meaning };
    this.#failedAt = undefined;
    return meaning;
  }

  #hasJustFailed(): boolean {
    return this.#failedAt !== undefined && this.#options.clock.uptime() - this.#failedAt < restMs;
  }

  #fail(error: unknown): void {
    this.#failedAt = this.#options.clock.uptime();
    this.#options.report(error);
  }
}

/** Milliseconds in which a provider that has failed is not asked again. */
const restMs = 30_000;
