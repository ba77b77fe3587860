import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import type { Decision, SkillShare, SkillsView, ToolSkills } from '../../../../shared/model/tool/skill.ts';
import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/emitter.ts';
import type {
  KnownSkill,
  SearchDocument,
  SkillStorage,
  StoredSuggestion,
  ToolClassification,
  ToolClassifier,
} from '../contract.ts';
import { BackgroundClassification } from './background-classification.ts';
import { SkillSuggestions } from './skill-suggestions.ts';
import { taxonomy } from './taxonomy.ts';
import { storedCorrection, ToolSkillMap, toView } from './tool-skill-map.ts';

/** Skills of earlier versions, and those that replace them: databases and backups still have the old ones. */
const replaced: ReadonlyMap<string, string> = new Map([
  ['files', 'file-management'],
  ['code-hosting', 'version-control'],
  ['code-analysis', 'software-development'],
  ['ci-cd', 'cloud-devops'],
  ['issue-tracking', 'project-management'],
  ['messaging', 'communication'],
  ['email', 'communication'],
  ['calendar', 'calendar-time'],
  ['documents', 'documents-office'],
  ['web-content', 'web-search'],
  ['web-browsing', 'automation'],
  ['reasoning', 'ai-models'],
  ['maps-location', 'maps-travel'],
  ['time-units', 'calendar-time'],
  ['payments', 'ecommerce'],
  ['crm', 'crm-marketing'],
  ['cloud-infrastructure', 'cloud-devops'],
  ['command-execution', 'system-terminal'],
  ['finance-markets', 'finance'],
  ['smart-home', 'iot-smart-home'],
  ['user-administration', 'security'],
  ['machine-learning', 'ai-models'],
  ['language', 'utilities'],
  ['games-leisure', 'entertainment-gaming'],
  ['health-science', 'health-fitness'],
  ['travel-food', 'maps-travel'],
  ['other', 'utilities'],
]);

/** Replaces the skills of earlier versions; of several that become one, the most confident stays. */
export function withCurrentSkills(shares: readonly SkillShare[]): readonly SkillShare[] {
  const current = new Map<string, SkillShare>();
  for (const { id: former, confidence } of shares) {
    const id = replaced.get(former) ?? former;
    if (confidence > (current.get(id)?.confidence ?? -1)) current.set(id, { id, confidence });
  }
  return [...current.values()];
}

export interface ToolClassificationsOptions {
  readonly clock: Clock;
  readonly keeper: SkillStorage;
  /** Returns all current tools by server. */
  readonly tools: () => ReadonlyMap<string, readonly SearchDocument[]>;
  /** Returns the current classifier; called for each pass. */
  readonly classifier: () => Promise<ToolClassifier>;
  /** Receives errors of classifiers. */
  readonly report: (error: unknown) => void;
}

/**
 * Stores the skills of every tool. New and changed tools are classified in the background, one server at a
 * time; corrections by people stay.
 */
export class ToolClassifications {
  readonly #options: ToolClassificationsOptions;
  readonly #shares: ToolSkillMap;
  readonly #ideas: SkillSuggestions;
  readonly #background: BackgroundClassification;
  readonly #changes = new Emitter<SkillsView>();
  readonly #servers = new Emitter<string>();
  readonly onChange = this.#changes.event;
  /** Fires with servers whose classification changed. */
  readonly onServer = this.#servers.event;
  #loaded: Promise<void> | undefined;

  constructor(options: ToolClassificationsOptions) {
    this.#options = options;
    this.#shares = new ToolSkillMap(options.keeper);
    this.#ideas = new SkillSuggestions(options.keeper);
    const backgroundOptions = {
      ...options,
      open: () => this.open(),
      skills: () => this.skills(),
      tell: (servers: readonly string[]) => this.#notify(servers),
      settled: () => this.#changes.fire(this.view()),
    };
    this.#background = new BackgroundClassification(backgroundOptions, this.#shares, this.#ideas);
  }

  /** Reads the stored data. If it cannot be read, everything is classified again. */
  open(): Promise<void> {
    this.#loaded ??= this.#load().catch(this.#options.report);
    return this.#loaded;
  }

  dispose(): void {
    this.#background.dispose();
    this.#changes.dispose();
    this.#servers.dispose();
  }

  /** Classifies new tools in the background; resolves when nothing is left to do. */
  catchUp(): Promise<void> {
    return this.#background.run();
  }

  knowledgeOf(serverKey: string, name: string): ToolClassification | undefined {
    const known = this.#shares.get(serverKey, name);
    if (known === undefined) return undefined;
    const { isClassified, skills, primarySkill } = toView(known);
    return { isClassified, skills, primarySkill, keywords: known.keywords };
  }

  /** Returns built-in and custom skills. */
  skills(): readonly KnownSkill[] {
    const own = this.#ideas.in('accepted');
    return [
      ...taxonomy.map(({ id, name, description }) => ({ id, name, description, own: false })),
      ...own.map(({ id, name, description }) => ({ id, name, description, own: true })),
    ];
  }

  view(): SkillsView {
    const all = this.tools();
    const { progress } = this.#background;
    const counts = new Map<string, number>();
    for (const { skills } of all) for (const { id } of skills) counts.set(id, (counts.get(id) ?? 0) + 1);
    return {
      skills: this.skills().map(({ own, ...skill }) => ({
        ...skill,
        tools: counts.get(skill.id) ?? 0,
        ...(own ? { own } : {}),
      })),
      unclassified: all.filter(({ isClassified }) => !isClassified).length,
      suggestions: this.#ideas.in('open').map(({ state: _open, ...suggestion }) => suggestion),
      progress,
    };
  }

  tools(): readonly ToolSkills[] {
    return [...this.#options.tools()].flatMap(([serverKey, tools]) =>
      tools.map(({ name }) => {
        const known = this.#shares.get(serverKey, name);
        if (known !== undefined) return toView(known);
        return { serverKey, name, isClassified: false, skills: [], by: 'nobody' as const };
      }),
    );
  }

  correct(tool: SearchDocument, skills: readonly string[]): void {
    const ids = new Set(this.skills().map(({ id }) => id));
    const unknown = skills.find((id) => !ids.has(id));
    if (unknown !== undefined) throw unknownSkill(unknown);
    const shares = skills.map((id) => ({ id, confidence: 1 }));
    this.#shares.save([storedCorrection(tool, shares, this.#shares.get(tool.serverKey, tool.name))]);
    this.#notify([tool.serverKey]);
  }

  release(serverKey: string, name: string): void {
    if (this.#shares.get(serverKey, name)?.by !== 'person') return;
    this.#shares.forget(serverKey, name);
    this.#notify([serverKey]);
    void this.catchUp();
  }

  decide(id: string, decision: Decision): void {
    const suggestion = this.#ideas.decidable(id, decision);
    if (suggestion === undefined) throw unknownSkill(id);
    if (suggestion.state === 'accepted') this.#removeSkill(id);
    this.#ideas.decide(suggestion, decision);
    if (decision === 'accept') this.#assignTo(suggestion);
    this.#notify(suggestion.tools.map(({ serverKey }) => serverKey));
  }

  /** Classifies tools again, except those corrected by people. */
  reclassify(servers?: readonly string[]): void {
    this.#shares.invalidate(servers);
    void this.catchUp();
  }

  async #load(): Promise<void> {
    const { tools, suggestions } = await this.#options.keeper.load();
    for (const tool of tools) this.#shares.remember({ ...tool, skills: withCurrentSkills(tool.skills) });
    this.#ideas.fill(suggestions);
  }

  #assignTo({ id, tools }: StoredSuggestion): void {
    const all = this.#options.tools();
    const given = tools.flatMap(({ serverKey, name }) => {
      const tool = all.get(serverKey)?.find((one) => one.name === name);
      if (tool === undefined) return [];
      const before = this.#shares.get(serverKey, name);
      const others = (before?.skills ?? []).slice(0, 2);
      return [storedCorrection(tool, [{ id, confidence: 1 }, ...others], before)];
    });
    this.#shares.save(given);
  }

  /** Keeps other skills set by people on the skill's tools; classifies the rest again. */
  #removeSkill(id: string): void {
    for (const tool of this.#shares.having(id)) {
      const said = tool.skills.filter((share) => share.id !== id && share.confidence === 1);
      if (tool.by === 'person' && said.length > 0) this.#shares.save([{ ...tool, skills: said }]);
      else this.#shares.forget(tool.serverKey, tool.name);
    }
    void this.catchUp();
  }

  #notify(servers: readonly string[]): void {
    for (const key of new Set(servers)) this.#servers.fire(key);
    if (this.#changes.hasListeners) this.#changes.fire(this.view());
  }
}

function unknownSkill(id: string): ProblemError {
  const sentence = `There is no skill ${JSON.stringify(id)}.`;
  return new ProblemError(
    problem('skill.unknown', sentence, 'It may have been removed. Check the list again.'),
  );
}
