import { ProblemError } from '../../../../shared/error/problem.ts';
import type {
  EmbeddingSource,
  SearchHit,
  SearchQuery,
  SearchResult,
  SearchSettings,
  SearchTrial,
  SemanticSearchState,
} from '../../../../shared/model/tool/search.ts';
import type { SkillsView } from '../../../../shared/model/tool/skill.ts';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, Emitter, type Event } from '../../base/emitter.ts';
import { IdleTimer } from '../../base/idle-timer.ts';
import type { Logger } from '../../base/logger.ts';
import type { CatalogueServer, CatalogueStore } from '../../catalogue/contract.ts';
import { unknownTool } from '../../catalogue/unknown-names.ts';
import type { FindScope } from '../../gateway/session/session-contract.ts';
import type { ToolClassifications } from '../classify/tool-classifications.ts';
import type { ClassificationOf, SearchDocument, SkillStorage, VectorStorage } from '../contract.ts';
import type { SearchContext } from '../index/search-index.ts';
import { type ClassifierSources, chooseClassifier } from './choose-provider.ts';
import { LiveIndex, type SearchModule } from './live-index.ts';
import { RecentUses, type ToolCalls } from './recent-uses.ts';
import { type SemanticAnswer, SemanticSearch } from './semantic-search.ts';
import { hasOwnTools, ServerDocuments } from './server-documents.ts';
import { isCheapToRebuild, type SearchSettingsFile, usesRules } from './settings-file.ts';
import { tryProvider } from './try-provider.ts';

/** Tells whether the caller may have a thing; everything else is as if it did not exist. */
export type MayHave = (serverKey: string, name: string) => boolean;

export interface SearchServiceOptions extends ClassifierSources {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly catalogue: CatalogueStore;
  readonly keeper: SkillStorage & VectorStorage;
  readonly isConnected: (serverKey: string) => boolean;
  /** Returns the display name of a server. */
  readonly titleOf: (serverKey: string) => string | undefined;
  /** Returns the calls of the last weeks. */
  readonly uses: () => Promise<readonly ToolCalls[]>;
  readonly settings: SearchSettingsFile;
}

/**
 * Search and skills of a running hub. Nothing is loaded before the first search, except for model
 * classification, which takes time; unused data is released after a while.
 */
export class SearchService implements Disposable {
  readonly settings: SearchSettingsFile;
  readonly #options: SearchServiceOptions;
  readonly #changes = new Emitter<SkillsView>();
  readonly onSkills = this.#changes.event;
  readonly #documents = new ServerDocuments();
  readonly #index: LiveIndex;
  readonly #subscription: Disposable;
  readonly #meaning: SemanticSearch;
  readonly onMeaning: Event<SemanticSearchState>;
  #source: Promise<EmbeddingSource> | undefined;
  #searchModule: Promise<SearchModule> | undefined;
  #book: Promise<ToolClassifications> | undefined;
  #openBook: ToolClassifications | undefined;
  #settling: Disposable | undefined;
  /** Set by the first search: new tools are then classified as they come. */
  #isWanted = false;
  readonly #unused: IdleTimer;

  constructor(options: SearchServiceOptions) {
    this.#options = options;
    this.settings = options.settings;
    this.#index = new LiveIndex({
      documents: this.#documents,
      uses: new RecentUses(options),
      loadSearch: () => this.#load(),
      skills: () => this.skills(),
      refresh: () => this.#refresh(),
    });
    this.#meaning = new SemanticSearch({ ...options, report: (error) => this.#report(error) });
    this.onMeaning = this.#meaning.onState;
    const onUnused = () => void this.#release();
    this.#unused = new IdleTimer({ clock: options.clock, milliseconds: unusedMs, onIdle: onUnused });
    this.#subscription = options.catalogue.onChange(() => this.#classifySoon());
    this.#classifySoon();
  }

  async find(query: SearchQuery, mayHave?: MayHave): Promise<SearchResult> {
    const index = await this.#index.sync();
    const { moment, meaning } = await this.#contextOf(query);
    const passing =
      mayHave === undefined
        ? moment
        : { ...moment, mayHave: ({ serverKey, name }: SearchDocument) => mayHave(serverKey, name) };
    return { ...index.search(query, passing), meaning };
  }

  /**
   * Searches only tools visible to one session. Extra tools of its own server processes are found by
   * keywords.
   */
  async findIn(
    query: string,
    { catalogue: { servers }, has, limit }: FindScope,
  ): Promise<readonly SearchHit[]> {
    const index = await this.#index.sync();
    const asked = { query, kinds: ['tool'] as const, servers: servers.map(({ key }) => key), limit };
    const mayHave = ({ serverKey, name }: SearchDocument) => has(serverKey, name);
    const { moment } = await this.#contextOf(asked);
    const { hits } = index.search(asked, { ...moment, mayHave });
    const own = servers.filter((server) => hasOwnTools(server, this.#options.catalogue.current));
    const more = own.length === 0 ? [] : await this.#findOwn(own, asked, { ...moment, mayHave });
    return [...hits, ...more].sort((one, other) => other.score - one.score).slice(0, limit);
  }

  /** Searches tools of these servers that the shared index does not have. */
  async #findOwn(servers: readonly CatalogueServer[], query: SearchQuery, moment: SearchContext) {
    const room = await this.#load();
    const index = room.openSearchIndex(await this.skills(), () => undefined);
    for (const server of servers) {
      const known = new Set(this.#documents.of(server.key).map(({ name }) => name));
      const own = room.toolsOf(room.documentsOf(server, true)).filter(({ name }) => !known.has(name));
      index.set(server.key, own);
    }
    return index.search(query, moment).hits;
  }

  async #contextOf({ query }: SearchQuery) {
    const { isConnected } = this.#options;
    const semantic = await this.#askMeaning(query);
    const moment = semantic.kind === 'used' ? { isConnected, meaning: semantic.similarity } : { isConnected };
    return { moment, meaning: semantic.kind };
  }

  /** Returns the skills after reading the stored ones. */
  async skills(): Promise<ToolClassifications> {
    const book = await this.#opened();
    await book.open();
    return book;
  }

  /** Rejects with `call.unknown_tool`. */
  async tool(serverKey: string, name: string): Promise<SearchDocument> {
    const { toolsOf } = await this.#load();
    await this.#refresh();
    const tools = toolsOf(this.#documents.of(serverKey));
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) throw new ProblemError(unknownTool(serverKey, name));
    return tool;
  }

  async configure(settings: SearchSettings): Promise<void> {
    await this.settings.write(settings);
    this.#source = Promise.resolve(settings.meaning);
    const book = await this.#opened();
    void book.catchUp();
    await this.#refresh();
    const { documents, knowledgeOf } = this.#semanticSources(book);
    this.#meaning.begin(await this.#load(), settings.meaning, documents, knowledgeOf);
  }

  /** Returns the state of semantic search. Rejects if the settings cannot be read. */
  async meaning(): Promise<SemanticSearchState> {
    return this.#meaning.state((await this.settings.read()).meaning);
  }

  /** Sends one request to a provider before it is chosen; resolves to the milliseconds it took. */
  async test(trial: SearchTrial): Promise<number> {
    const room = await this.#load();
    const since = performance.now();
    await tryProvider(room, trial, this.#options);
    return performance.now() - since;
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#settling?.dispose();
    this.#unused.dispose();
    this.#openBook?.dispose();
    this.#meaning.dispose();
    this.#changes.dispose();
  }

  async #askMeaning(query: string): Promise<SemanticAnswer> {
    this.#source ??= this.settings.read().then(({ meaning }) => meaning);
    // Unreadable settings must not break keyword search.
    const source = await this.#source.catch(() => ({ kind: 'off' as const }));
    const book = this.#openBook;
    if (book === undefined) return { kind: 'off' };
    const { documents, knowledgeOf } = this.#semanticSources(book);
    return this.#meaning.ask(await this.#load(), source, query, documents, knowledgeOf);
  }

  /** Returns the listed documents and their classification. */
  #semanticSources(book: ToolClassifications) {
    const documents = () => [...this.#documents.all()].flatMap(([, documents]) => documents);
    const knowledgeOf: ClassificationOf = (key, name) => book.knowledgeOf(key, name);
    return { documents, knowledgeOf };
  }

  #classifySoon(): void {
    this.#settling ??= this.#options.clock.after(settleMs, () => {
      this.#settling = undefined;
      this.#classify().catch((error: unknown) => this.#report(error));
    });
  }

  async #classify(): Promise<void> {
    const { servers, off } = this.#options.catalogue.current;
    if (servers.length + off.length === 0 && this.#book === undefined) return;
    if (!this.#isWanted && (await usesRules(this.settings))) return;
    const book = await this.#opened();
    await this.#refresh();
    await book.catchUp();
  }

  #load(): Promise<SearchModule> {
    this.#searchModule ??= import('../search-module.ts');
    return this.#searchModule;
  }

  /**
   * Rules classify all tools before this resolves, since they take only a moment. Results of a model arrive
   * later.
   */
  #opened(): Promise<ToolClassifications> {
    this.#isWanted = true;
    this.#unused.markUsed();
    this.#book ??= this.#load().then(async (room) => {
      await this.#refresh();
      const book = room.openToolClassifications({
        clock: this.#options.clock,
        keeper: this.#options.keeper,
        tools: () => new Map([...this.#documents.all()].map(([key, all]) => [key, room.toolsOf(all)])),
        classifier: async () => {
          const { classifier } = await this.settings.read();
          return chooseClassifier(room, classifier, this.#options);
        },
        report: (error) => this.#report(error),
      });
      book.onChange((view) => this.#changes.fire(view));
      book.onServer((key) => {
        this.#index.markOutdated(key);
        this.#meaning.skillsChanged();
      });
      this.#openBook = book;
      const classified = book.catchUp();
      if (await usesRules(this.settings)) await classified;
      return book;
    });
    return this.#book;
  }

  /** Keeps results of a model, which are expensive, and failed attempts that are to be retried. */
  async #release(): Promise<void> {
    if (!(await isCheapToRebuild(this.settings)) || this.#unused.isUsed) return this.#unused.markUsed();
    this.reload();
  }

  /** Starts over with stored settings and corrections. */
  reload(): void {
    this.#source = undefined;
    this.#openBook?.dispose();
    this.#book = undefined;
    this.#openBook = undefined;
    this.#index.forget();
    this.#documents.forget();
  }

  /** Rebuilds the documents of servers whose listing changed. */
  async #refresh(): Promise<void> {
    const { documentsOf } = await this.#load();
    const { catalogue, titleOf } = this.#options;
    this.#documents.refresh(catalogue.current, documentsOf, titleOf);
  }

  #report(error: unknown): void {
    this.#options.logger.log('warn', 'Part of the search failed.', { error });
  }
}

/** Milliseconds after a change until tools are classified: servers arrive one after another. */
const settleMs = 3_000;

/** Milliseconds without a search after which memory is released. */
const unusedMs = 600_000;
