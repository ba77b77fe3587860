import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import {
  type Decision,
  primaryConfidence,
  type SkillsView,
  type ToolSkills,
} from '../../../../shared/model/skill.ts';
import type { Clock } from '../../base/clock.ts';
import { digestOf } from '../../base/digest.ts';
import { type Disposable, Emitter } from '../../base/emitter.ts';
import type {
  ClassifierAnswer,
  KeptSuggestion,
  KeptToolSkills,
  KnownSkill,
  SearchDocument,
  SkillKeeper,
  ToolClassifier,
  ToolKnowledge,
} from '../contract.ts';
import { taxonomy } from './taxonomy.ts';

export interface SkillBookOptions {
  readonly clock: Clock;
  readonly keeper: SkillKeeper;
  /** All tools of all servers as they are now, by server. */
  readonly tools: () => ReadonlyMap<string, readonly SearchDocument[]>;
  /** Who classifies from now on; asked for each pass. */
  readonly classifier: () => Promise<ToolClassifier>;
  /** Told what kept a classifier from answering. */
  readonly report: (error: unknown) => void;
}

interface Known extends KeptToolSkills {
  readonly failed?: true;
}

/**
 * Knows what every tool is good for. What is new or reads differently is classified in the background, a server at a time,
 * while everything else goes on; what a person has said stays.
 */
export class SkillBook {
  readonly #options: SkillBookOptions;
  readonly #known = new Map<string, Map<string, Known>>();
  readonly #suggestions = new Map<string, KeptSuggestion>();
  readonly #changes = new Emitter<SkillsView>();
  readonly #servers = new Emitter<string>();
  readonly onChange = this.#changes.event;
  /** Of this server something else is known. */
  readonly onServer = this.#servers.event;
  /** How many tools each server had when that was last looked at. */
  #sizes: ReadonlyMap<string, number> = new Map();
  #loaded: Promise<void> | undefined;
  #running: Promise<void> | undefined;
  #isWanted = false;
  #progress: SkillsView['progress'];
  #retry: Disposable | undefined;
  #isOver = false;

  constructor(options: SkillBookOptions) {
    this.#options = options;
  }

  /** Reads what is kept. Where that cannot be read, everything is found out anew. */
  open(): Promise<void> {
    this.#loaded ??= this.#load().catch(this.#options.report);
    return this.#loaded;
  }

  dispose(): void {
    this.#isOver = true;
    this.#retry?.dispose();
    this.#changes.dispose();
    this.#servers.dispose();
  }

  /** Classifies what is not, in the background; resolves when nothing is left to do. */
  catchUp(): Promise<void> {
    this.#isWanted = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  knowledgeOf(serverKey: string, name: string): ToolKnowledge | undefined {
    const known = this.#known.get(serverKey)?.get(name);
    if (known === undefined) return undefined;
    const { isClassified, skills, primarySkill } = shown(known);
    return { isClassified, skills, primarySkill, keywords: known.keywords };
  }

  /** The skills there are: those of the program and those people have made. */
  skills(): readonly KnownSkill[] {
    const own = [...this.#suggestions.values()].filter(({ state }) => state === 'accepted');
    return [
      ...taxonomy.map(({ id, name, description }) => ({ id, name, description, own: false })),
      ...own.map(({ id, name, description }) => ({ id, name, description, own: true })),
    ];
  }

  view(): SkillsView {
    const all = this.tools();
    const counts = new Map<string, number>();
    for (const { skills } of all) for (const { id } of skills) counts.set(id, (counts.get(id) ?? 0) + 1);
    const open = [...this.#suggestions.values()].filter(({ state }) => state === 'open');
    return {
      skills: this.skills().map(({ own, ...skill }) => ({
        ...skill,
        tools: counts.get(skill.id) ?? 0,
        ...(own ? { own } : {}),
      })),
      unclassified: all.filter(({ isClassified }) => !isClassified).length,
      suggestions: open.map(({ state: _open, ...suggestion }) => suggestion),
      ...(this.#progress === undefined ? {} : { progress: this.#progress }),
    };
  }

  tools(): readonly ToolSkills[] {
    return [...this.#options.tools()].flatMap(([serverKey, tools]) =>
      tools.map(({ name }) => {
        const known = this.#known.get(serverKey)?.get(name);
        if (known !== undefined) return shown(known);
        return { serverKey, name, isClassified: false, skills: [], by: 'nobody' as const };
      }),
    );
  }

  correct(tool: SearchDocument, skills: readonly string[]): void {
    const ids = new Set(this.skills().map(({ id }) => id));
    const unknown = skills.find((id) => !ids.has(id));
    if (unknown !== undefined) throw unknownSkill(unknown);
    const shares = skills.map((id) => ({ id, confidence: 1 }));
    const before = this.#known.get(tool.serverKey)?.get(tool.name);
    this.#keep([keptOf(tool, 'person', 'person', shares, before?.keywords ?? [])]);
    this.#tell([tool.serverKey]);
  }

  release(serverKey: string, name: string): void {
    if (this.#known.get(serverKey)?.get(name)?.by !== 'person') return;
    this.#known.get(serverKey)?.delete(name);
    this.#options.keeper.forget(serverKey, [name]);
    this.#tell([serverKey]);
    void this.catchUp();
  }

  decide(id: string, decision: Decision): void {
    const suggestion = this.#suggestions.get(id);
    const isOpen = suggestion?.state === 'open';
    if (suggestion === undefined || isOpen === (decision === 'reopen')) throw unknownSkill(id);
    if (suggestion.state === 'accepted') this.#takeAway(id);
    this.#suggest({ ...suggestion, state: states[decision] });
    if (decision === 'accept') this.#giveTo(suggestion);
    this.#tell(suggestion.tools.map(({ serverKey }) => serverKey));
  }

  /** Forgets what was found out, not what people said, and finds it out anew. */
  reclassify(servers?: readonly string[]): void {
    for (const [key, known] of this.#known) {
      if (servers !== undefined && !servers.includes(key)) continue;
      for (const [name, { by }] of known) if (by !== 'person') known.delete(name);
    }
    void this.catchUp();
  }

  async #load(): Promise<void> {
    const { tools, suggestions } = await this.#options.keeper.load();
    for (const tool of tools) this.#note(tool);
    for (const suggestion of suggestions) this.#suggestions.set(suggestion.id, suggestion);
  }

  async #run(): Promise<void> {
    await this.open();
    while (this.#isWanted && !this.#isOver) {
      this.#isWanted = false;
      try {
        await this.#pass(await this.#options.classifier());
      } catch (error) {
        this.#options.report(error);
        this.#tryAgainLater();
      }
    }
    if (this.#progress !== undefined) {
      this.#progress = undefined;
      this.#changes.fire(this.view());
    }
  }

  async #pass(classifier: ToolClassifier): Promise<void> {
    const offered = this.#options.tools();
    this.#tellWhatIsGone(offered);
    const work = [...offered].map(([serverKey, tools]) => {
      const wanted = tools.filter((tool) => !this.#isKnown(tool, classifier));
      return { serverKey, tools, wanted };
    });
    const total = work.reduce((sum, { wanted }) => sum + wanted.length, 0);
    let done = 0;
    for (const { serverKey, tools, wanted } of work) {
      for (const some of batches(wanted, classifier.atOnce)) {
        if (this.#isOver) return;
        await this.#classify(classifier, serverKey, tools, some);
        done += some.length;
        this.#progress = { done, total };
        this.#tell([serverKey]);
        await breathe();
      }
    }
  }

  /** Skills of which there are fewer tools are others by that, though nothing is to be classified. */
  #tellWhatIsGone(offered: ReadonlyMap<string, readonly SearchDocument[]>): void {
    const gone = [...this.#sizes].filter(([key, size]) => (offered.get(key)?.length ?? 0) < size);
    this.#sizes = new Map([...offered].map(([key, { length }]) => [key, length]));
    if (gone.length > 0) this.#tell(gone.map(([key]) => key));
  }

  #isKnown(tool: SearchDocument, { tag, by }: ToolClassifier): boolean {
    const known = this.#known.get(tool.serverKey)?.get(tool.name);
    if (known === undefined || known.failed) return false;
    if (known.by === 'person') return true;
    return known.by === by && known.classifier === tag && known.digest === textDigest(tool);
  }

  async #classify(
    classifier: ToolClassifier,
    serverKey: string,
    tools: readonly SearchDocument[],
    wanted: readonly SearchDocument[],
  ): Promise<void> {
    const answer = await this.#ask(classifier, serverKey, tools, wanted);
    const { by, tag } = classifier;
    const answered = wanted.flatMap((tool) => {
      const found = answer.tools.get(tool.name);
      // Somebody may have decided meanwhile.
      if (found === undefined || this.#isPersons(tool)) return [];
      return [keptOf(tool, by, tag, found.skills, found.keywords)];
    });
    this.#keep(answered);
    const failed = wanted.filter((tool) => !answer.tools.has(tool.name) && !this.#isPersons(tool));
    for (const tool of failed) this.#note({ ...keptOf(tool, by, tag, [], []), failed: true });
    if (failed.length > 0) this.#tryAgainLater();
    for (const idea of answer.ideas) this.#suggestFor(serverKey, idea, by);
  }

  async #ask(
    classifier: ToolClassifier,
    serverKey: string,
    tools: readonly SearchDocument[],
    wanted: readonly SearchDocument[],
  ): Promise<ClassifierAnswer> {
    try {
      return await classifier.classify(serverKey, tools, wanted, this.skills());
    } catch (error) {
      this.#options.report(error);
      return { tools: new Map(), ideas: [] };
    }
  }

  #isPersons({ serverKey, name }: SearchDocument): boolean {
    return this.#known.get(serverKey)?.get(name)?.by === 'person';
  }

  #tryAgainLater(): void {
    this.#retry?.dispose();
    this.#retry = this.#options.clock.after(retryMs, () => void this.catchUp());
  }

  /** What is suggested once is not suggested again, whatever was decided. */
  #suggestFor(
    serverKey: string,
    { name, description, tools }: ClassifierAnswer['ideas'][number],
    by: 'rules' | 'model',
  ): void {
    const id = `own-${digestOf(name.toLowerCase()).slice(0, 12)}`;
    const before = this.#suggestions.get(id);
    if (before !== undefined && before.state !== 'open') return;
    const isNew = (tool: string) =>
      !before?.tools.some((known) => known.serverKey === serverKey && known.name === tool);
    const added = tools.filter(isNew).map((tool) => ({ serverKey, name: tool }));
    const all = [...(before?.tools ?? []), ...added].slice(0, mostNamed);
    if (before === undefined && this.#openSuggestions() >= mostSuggestions) return;
    this.#suggest({ id, name, description, tools: all, by, state: 'open' });
  }

  #openSuggestions(): number {
    return [...this.#suggestions.values()].filter(({ state }) => state === 'open').length;
  }

  #giveTo({ id, tools }: KeptSuggestion): void {
    const all = this.#options.tools();
    const given = tools.flatMap(({ serverKey, name }) => {
      const tool = all.get(serverKey)?.find((one) => one.name === name);
      if (tool === undefined) return [];
      const before = this.#known.get(serverKey)?.get(name);
      const others = (before?.skills ?? []).slice(0, 2);
      return [keptOf(tool, 'person', 'person', [{ id, confidence: 1 }, ...others], before?.keywords ?? [])];
    });
    this.#keep(given);
  }

  /** What else a person has said of the tools that had it stays; the others are classified anew. */
  #takeAway(id: string): void {
    const having = [...this.#known.values()]
      .flatMap((ofServer) => [...ofServer.values()])
      .filter(({ skills }) => skills.some((share) => share.id === id));
    for (const tool of having) {
      const said = tool.skills.filter((share) => share.id !== id && share.confidence === 1);
      if (tool.by === 'person' && said.length > 0) this.#keep([{ ...tool, skills: said }]);
      else {
        this.#known.get(tool.serverKey)?.delete(tool.name);
        this.#options.keeper.forget(tool.serverKey, [tool.name]);
      }
    }
    void this.catchUp();
  }

  #suggest(suggestion: KeptSuggestion): void {
    this.#suggestions.set(suggestion.id, suggestion);
    this.#options.keeper.saveSuggestion(suggestion);
  }

  #keep(tools: readonly KeptToolSkills[]): void {
    for (const tool of tools) this.#note(tool);
    // Rules say the same again, sooner than it could be read.
    const kept = tools.filter(({ by }) => by !== 'rules');
    if (kept.length > 0) this.#options.keeper.saveTools(kept);
  }

  #note(tool: Known): void {
    const known = this.#known.get(tool.serverKey) ?? new Map<string, Known>();
    this.#known.set(tool.serverKey, known.set(tool.name, tool));
  }

  #tell(servers: readonly string[]): void {
    for (const key of new Set(servers)) this.#servers.fire(key);
    if (this.#changes.hasListeners) this.#changes.fire(this.view());
  }
}

const states = { accept: 'accepted', dismiss: 'dismissed', reopen: 'open' } as const satisfies Readonly<
  Record<Decision, KeptSuggestion['state']>
>;

/** Milliseconds until what could not be classified is tried again. */
const retryMs = 300_000;

/** Tools that a suggestion names. */
const mostNamed = 36;

const mostSuggestions = 50;

function shown({ serverKey, name, skills, by, failed }: Known): ToolSkills {
  const [first] = skills;
  const primary = first !== undefined && first.confidence >= primaryConfidence ? first.id : undefined;
  return {
    serverKey,
    name,
    isClassified: failed !== true && skills.length > 0,
    skills,
    ...(primary === undefined ? {} : { primarySkill: primary }),
    by: failed ? 'nobody' : by,
  };
}

function keptOf(
  tool: SearchDocument,
  by: KeptToolSkills['by'],
  classifier: string,
  skills: KeptToolSkills['skills'],
  keywords: readonly string[],
): KeptToolSkills {
  const { serverKey, name } = tool;
  return { serverKey, name, digest: textDigest(tool), classifier, by, skills, keywords };
}

/** Of the texts that a classifier goes by. */
export function textDigest({ name, title, description, parameters }: SearchDocument): string {
  return digestOf([name, title ?? '', description ?? '', parameters]).slice(0, 24);
}

function batches<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  if (items.length <= size) return items.length === 0 ? [] : [items];
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/** Lets everything else go on. */
function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function unknownSkill(id: string): ProblemError {
  const sentence = `There is no skill ${JSON.stringify(id)}.`;
  return new ProblemError(problem('skill.unknown', sentence, 'Look at the list again; it may have changed.'));
}
