import { primaryConfidence, type ToolSkills } from '../../../../shared/model/tool/skill.ts';
import { digestOf } from '../../base/digest.ts';
import type { SearchDocument, SkillStorage, StoredToolSkills, ToolClassifier } from '../contract.ts';

/** Skills of one tool. */
export interface KnownTool extends StoredToolSkills {
  readonly failed?: true;
}

/** The skills of every tool, by server and name: in memory, and stored if they cannot be computed again. */
export class ToolSkillMap {
  readonly #known = new Map<string, Map<string, KnownTool>>();
  readonly #keeper: Pick<SkillStorage, 'saveTools' | 'forget'>;

  constructor(keeper: Pick<SkillStorage, 'saveTools' | 'forget'>) {
    this.#keeper = keeper;
  }

  get(serverKey: string, name: string): KnownTool | undefined {
    return this.#known.get(serverKey)?.get(name);
  }

  /** Returns the tools that have a skill. */
  having(id: string): readonly KnownTool[] {
    return [...this.#known.values()]
      .flatMap((ofServer) => [...ofServer.values()])
      .filter(({ skills }) => skills.some((share) => share.id === id));
  }

  isCorrected({ serverKey, name }: SearchDocument): boolean {
    return this.get(serverKey, name)?.by === 'person';
  }

  /** Tells whether this classifier has nothing left to do for a tool. */
  isSettled(tool: SearchDocument, { tag, by }: ToolClassifier): boolean {
    const known = this.get(tool.serverKey, tool.name);
    if (known === undefined || known.failed) return false;
    if (known.by === 'person') return true;
    return known.by === by && known.classifier === tag && known.digest === textDigest(tool);
  }

  /** Remembers for this run only. */
  remember(tool: KnownTool): void {
    const known = this.#known.get(tool.serverKey) ?? new Map<string, KnownTool>();
    this.#known.set(tool.serverKey, known.set(tool.name, tool));
  }

  save(tools: readonly StoredToolSkills[]): void {
    for (const tool of tools) this.remember(tool);
    // Rules are faster to apply again than to read.
    const kept = tools.filter(({ by }) => by !== 'rules');
    if (kept.length > 0) this.#keeper.saveTools(kept);
  }

  forget(serverKey: string, name: string): void {
    this.#known.get(serverKey)?.delete(name);
    this.#keeper.forget(serverKey, [name]);
  }

  /** Marks classifications as outdated; stored ones stay until they are replaced. */
  invalidate(servers?: readonly string[]): void {
    for (const [key, known] of this.#known) {
      if (servers !== undefined && !servers.includes(key)) continue;
      for (const [name, { by }] of known) if (by !== 'person') known.delete(name);
    }
  }
}

/** Returns the visible form. */
export function toView({ serverKey, name, skills, by, failed }: KnownTool): ToolSkills {
  const [first] = skills;
  const primary = first !== undefined && first.confidence >= primaryConfidence ? first.id : undefined;
  return {
    serverKey,
    name,
    isClassified: failed !== true && skills.length > 0,
    skills,
    primarySkill: primary,
    by: failed ? 'nobody' : by,
  };
}

export function storedClassification(
  tool: SearchDocument,
  { by, tag: classifier }: Pick<StoredToolSkills, 'by'> & { readonly tag: string },
  skills: StoredToolSkills['skills'],
  keywords: readonly string[],
): StoredToolSkills {
  const { serverKey, name } = tool;
  return { serverKey, name, digest: textDigest(tool), classifier, by, skills, keywords };
}

/** Creates a correction by a person; keywords stay. */
export function storedCorrection(
  tool: SearchDocument,
  skills: StoredToolSkills['skills'],
  before: KnownTool | undefined,
): StoredToolSkills {
  return storedClassification(tool, { by: 'person', tag: 'person' }, skills, before?.keywords ?? []);
}

/** Digest of the texts that classifiers use. */
function textDigest({ name, title, description, parameters }: SearchDocument): string {
  return digestOf([name, title ?? '', description ?? '', parameters]).slice(0, 24);
}
