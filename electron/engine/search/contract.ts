import type { SearchKind, StatedRisk } from '../../../shared/model/tool/search.ts';
import type { SkillShare } from '../../../shared/model/tool/skill.ts';

/** A listed item in the index: texts to search, and facts for filters. */
export interface SearchDocument {
  readonly kind: SearchKind;
  readonly serverKey: string;
  /** Display name of the server. */
  readonly serverTitle?: string | undefined;
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** Names of its parameters. */
  readonly parameters: string;
  readonly risk: StatedRisk;
  /** Neither the item nor its server is disabled, and the tool is not quarantined. */
  readonly enabled: boolean;
}

/** Classification of a tool. Keywords may come from a model: they are searched but never shown as fact. */
export interface ToolClassification {
  readonly isClassified: boolean;
  readonly skills: readonly SkillShare[];
  readonly primarySkill: string | undefined;
  readonly keywords: readonly string[];
}

/** Returns the classification of a tool; undefined if it has none yet. */
export type ClassificationOf = (serverKey: string, name: string) => ToolClassification | undefined;

/** Names of skills by id, for search. */
export type SkillNames = ReadonlyMap<string, string>;

/** Stored skills of a tool. */
export interface StoredToolSkills {
  readonly serverKey: string;
  readonly name: string;
  /** Digest of the classified texts. */
  readonly digest: string;
  /** The classifier used, so that another one starts over. */
  readonly classifier: string;
  readonly by: 'rules' | 'model' | 'person';
  readonly skills: readonly SkillShare[];
  readonly keywords: readonly string[];
}

export interface StoredSuggestion {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tools: readonly { readonly serverKey: string; readonly name: string }[];
  readonly by: 'rules' | 'model';
  readonly state: 'open' | 'accepted' | 'dismissed';
}

/** Stores skills. Writes are deferred, and their errors are reported elsewhere. */
export interface SkillStorage {
  /** Does not create a database if nothing was ever stored. */
  load(): Promise<{
    readonly tools: readonly StoredToolSkills[];
    readonly suggestions: readonly StoredSuggestion[];
  }>;
  saveTools(tools: readonly StoredToolSkills[]): void;
  saveSuggestion(suggestion: StoredSuggestion): void;
  forget(serverKey: string, names: readonly string[]): void;
}

/** Stores vectors by model and by the digest of their text. */
export interface VectorStorage {
  vectors(model: string, digests: readonly string[]): Promise<ReadonlyMap<string, Float32Array>>;
  saveVectors(model: string, vectors: ReadonlyMap<string, Float32Array>): Promise<void>;
}

/** A classifier's result for one tool. */
export interface ToolAnswer {
  readonly skills: readonly SkillShare[];
  /** Searched, never shown. */
  readonly keywords: readonly string[];
}

/** A skill suggested by a classifier, and its tools. */
export interface SuggestedSkill {
  readonly name: string;
  readonly description: string;
  readonly tools: readonly string[];
}

export interface ClassifierAnswer {
  /** By tool name; missing tools could not be classified. */
  readonly tools: ReadonlyMap<string, ToolAnswer>;
  readonly ideas: readonly SuggestedSkill[];
}

/** Assigns skills to tools. */
export interface ToolClassifier {
  readonly by: 'rules' | 'model';
  /** Results of another tag are classified again. */
  readonly tag: string;
  /** Maximum number of tools per call. */
  readonly atOnce: number;
  /** Classifies `wanted` in the context of all tools of the server. Rejects if it cannot. */
  classify(
    serverKey: string,
    tools: readonly SearchDocument[],
    wanted: readonly SearchDocument[],
    skills: readonly KnownSkill[],
  ): Promise<ClassifierAnswer>;
}

export interface KnownSkill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly own: boolean;
}
