import type { SearchKind, StatedRisk } from '../../../shared/model/search.ts';
import type { SkillShare } from '../../../shared/model/skill.ts';

/** A thing that is offered, as the index sees it: texts to be searched, and facts to be filtered by. */
export interface SearchDocument {
  readonly kind: SearchKind;
  readonly serverKey: string;
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** Names of its parameters, and what their descriptions say first. */
  readonly parameters: string;
  readonly risk: StatedRisk;
  /** On, not held, and of a server that is on. */
  readonly enabled: boolean;
}

/** What is known of a tool beside its own texts. Keywords may be a model's: searched, never shown as fact. */
export interface ToolKnowledge {
  readonly isClassified: boolean;
  readonly skills: readonly SkillShare[];
  readonly primarySkill: string | undefined;
  readonly keywords: readonly string[];
}

/** Told by whoever classifies; undefined for what is not classified yet. */
export type KnowledgeOf = (serverKey: string, name: string) => ToolKnowledge | undefined;

/** What skills are called, so that they can be searched by that. */
export type SkillNames = ReadonlyMap<string, string>;
