import type { SkillsView } from '../../../../shared/model/skill.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/emitter.ts';
import type { ClassifierAnswer, KnownSkill, SearchDocument, ToolClassifier } from '../contract.ts';
import type { SkillSuggestions } from './skill-ideas.ts';
import { storedClassification, type ToolSkillMap } from './tool-shares.ts';

export interface BackgroundClassificationOptions {
  readonly clock: Clock;
  readonly tools: () => ReadonlyMap<string, readonly SearchDocument[]>;
  readonly classifier: () => Promise<ToolClassifier>;
  readonly report: (error: unknown) => void;
  /** Resolves when the stored data has been read. */
  readonly open: () => Promise<void>;
  readonly skills: () => readonly KnownSkill[];
  /** Called with servers whose classification changed. */
  readonly tell: (servers: readonly string[]) => void;
  /** Called when everything has been classified. */
  readonly settled: () => void;
}

/** Classifies new tools in the background, one server at a time, and retries failures later. */
export class BackgroundClassification implements Disposable {
  readonly #options: BackgroundClassificationOptions;
  readonly #shares: ToolSkillMap;
  readonly #ideas: SkillSuggestions;
  /** Number of tools of each server at the last pass. */
  #sizes: ReadonlyMap<string, number> = new Map();
  #running: Promise<void> | undefined;
  #isWanted = false;
  #progress: SkillsView['progress'];
  #retry: Disposable | undefined;
  #isOver = false;

  constructor(options: BackgroundClassificationOptions, shares: ToolSkillMap, ideas: SkillSuggestions) {
    this.#options = options;
    this.#shares = shares;
    this.#ideas = ideas;
  }

  get progress(): SkillsView['progress'] {
    return this.#progress;
  }

  /** Resolves when nothing is left to do. */
  run(): Promise<void> {
    this.#isWanted = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  dispose(): void {
    this.#isOver = true;
    this.#retry?.dispose();
  }

  async #run(): Promise<void> {
    await this.#options.open();
    while (this.#isWanted && !this.#isOver) {
      this.#isWanted = false;
      try {
        await this.#pass(await this.#options.classifier());
      } catch (error) {
        this.#options.report(error);
        this.#retryLater();
      }
    }
    if (this.#progress === undefined) return;
    this.#progress = undefined;
    this.#options.settled();
  }

  async #pass(classifier: ToolClassifier): Promise<void> {
    const listed = this.#options.tools();
    this.#notifyRemoved(listed);
    const work = [...listed].map(([serverKey, tools]) => {
      const wanted = tools.filter((tool) => !this.#shares.isSettled(tool, classifier));
      return { serverKey, tools, wanted };
    });
    const total = work.reduce((sum, { wanted }) => sum + wanted.length, 0);
    // Set at once: a model may take a while until its first answer.
    if (total > 0) this.#progress = { done: 0, total };
    let done = 0;
    for (const { serverKey, tools, wanted } of work) {
      for (const some of batches(wanted, classifier.atOnce)) {
        if (this.#isOver) return;
        await this.#classify(classifier, serverKey, tools, some);
        done += some.length;
        this.#progress = { done, total };
        this.#options.tell([serverKey]);
        await yieldToEventLoop();
      }
    }
  }

  /** Notifies of removed tools, which change the counts of skills although nothing is classified. */
  #notifyRemoved(listed: ReadonlyMap<string, readonly SearchDocument[]>): void {
    const gone = [...this.#sizes].filter(([key, size]) => (listed.get(key)?.length ?? 0) < size);
    this.#sizes = new Map([...listed].map(([key, { length }]) => [key, length]));
    if (gone.length > 0) this.#options.tell(gone.map(([key]) => key));
  }

  async #classify(
    classifier: ToolClassifier,
    serverKey: string,
    tools: readonly SearchDocument[],
    wanted: readonly SearchDocument[],
  ): Promise<void> {
    const shares = this.#shares;
    const answer = await this.#ask(classifier, serverKey, tools, wanted);
    const answered = wanted.flatMap((tool) => {
      const found = answer.tools.get(tool.name);
      // A person may have corrected the tool meanwhile.
      if (found === undefined || shares.isCorrected(tool)) return [];
      return [storedClassification(tool, classifier, found.skills, found.keywords)];
    });
    shares.save(answered);
    const failed = wanted.filter((tool) => !answer.tools.has(tool.name) && !shares.isCorrected(tool));
    for (const tool of failed)
      shares.remember({ ...storedClassification(tool, classifier, [], []), failed: true });
    if (failed.length > 0) this.#retryLater();
    for (const idea of answer.ideas) this.#ideas.add(serverKey, idea, classifier.by);
  }

  async #ask(
    classifier: ToolClassifier,
    serverKey: string,
    tools: readonly SearchDocument[],
    wanted: readonly SearchDocument[],
  ): Promise<ClassifierAnswer> {
    try {
      return await classifier.classify(serverKey, tools, wanted, this.#options.skills());
    } catch (error) {
      this.#options.report(error);
      return { tools: new Map(), ideas: [] };
    }
  }

  #retryLater(): void {
    this.#retry?.dispose();
    this.#retry = this.#options.clock.after(retryMs, () => void this.run());
  }
}

/** Milliseconds until failed tools are classified again. */
const retryMs = 300_000;

function batches<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  if (items.length <= size) return items.length === 0 ? [] : [items];
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/** Yields to the event loop. */
function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
