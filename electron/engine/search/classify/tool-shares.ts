import { primaryConfidence, type ToolSkills } from '../../../../shared/model/skill.ts';
import { digestOf } from '../../base/digest.ts';
import type { KeptToolSkills, SearchDocument, SkillKeeper, ToolClassifier } from '../contract.ts';

/** What is known of one tool. */
export interface KnownTool extends KeptToolSkills {
  readonly failed?: true;
}

/** The skills of every tool, by server and name: here at once, and with the keeper where they could not be had again. */
export class ToolShares {
  readonly #known = new Map<string, Map<string, KnownTool>>();
  readonly #keeper: Pick<SkillKeeper, 'saveTools' | 'forget'>;

  constructor(keeper: Pick<SkillKeeper, 'saveTools' | 'forget'>) {
    this.#keeper = keeper;
  }

  get(serverKey: string, name: string): KnownTool | undefined {
    return this.#known.get(serverKey)?.get(name);
  }

  /** The tools that have a skill. */
  having(id: string): readonly KnownTool[] {
    return [...this.#known.values()]
      .flatMap((ofServer) => [...ofServer.values()])
      .filter(({ skills }) => skills.some((share) => share.id === id));
  }

  isPersons({ serverKey, name }: SearchDocument): boolean {
    return this.get(serverKey, name)?.by === 'person';
  }

  /** Nothing is left for this classifier to find out. */
  isSettled(tool: SearchDocument, { tag, by }: ToolClassifier): boolean {
    const known = this.get(tool.serverKey, tool.name);
    if (known === undefined || known.failed) return false;
    if (known.by === 'person') return true;
    return known.by === by && known.classifier === tag && known.digest === textDigest(tool);
  }

  /** For this run only. */
  note(tool: KnownTool): void {
    const known = this.#known.get(tool.serverKey) ?? new Map<string, KnownTool>();
    this.#known.set(tool.serverKey, known.set(tool.name, tool));
  }

  keep(tools: readonly KeptToolSkills[]): void {
    for (const tool of tools) this.note(tool);
    // Rules say the same again, sooner than it could be read.
    const kept = tools.filter(({ by }) => by !== 'rules');
    if (kept.length > 0) this.#keeper.saveTools(kept);
  }

  forget(serverKey: string, name: string): void {
    this.#known.get(serverKey)?.delete(name);
    this.#keeper.forget(serverKey, [name]);
  }

  /** What was found out is to be found out anew; what is kept of it stays until then. */
  doubt(servers?: readonly string[]): void {
    for (const [key, known] of this.#known) {
      if (servers !== undefined && !servers.includes(key)) continue;
      for (const [name, { by }] of known) if (by !== 'person') known.delete(name);
    }
  }
}

/** As it is shown. */
export function shown({ serverKey, name, skills, by, failed }: KnownTool): ToolSkills {
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

export function keptOf(
  tool: SearchDocument,
  { by, tag: classifier }: Pick<KeptToolSkills, 'by'> & { readonly tag: string },
  skills: KeptToolSkills['skills'],
  keywords: readonly string[],
): KeptToolSkills {
  const { serverKey, name } = tool;
  return { serverKey, name, digest: textDigest(tool), classifier, by, skills, keywords };
}

/** What a person says of a tool; its keywords stay. */
export function saidOf(
  tool: SearchDocument,
  skills: KeptToolSkills['skills'],
  before: KnownTool | undefined,
): KeptToolSkills {
  return keptOf(tool, { by: 'person', tag: 'person' }, skills, before?.keywords ?? []);
}

/** Of the texts that a classifier goes by. */
function textDigest({ name, title, description, parameters }: SearchDocument): string {
  return digestOf([name, title ?? '', description ?? '', parameters]).slice(0, 24);
}
