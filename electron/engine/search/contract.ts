import type { SearchKind, StatedRisk } from '../../../shared/model/search.ts';
import type { SkillShare } from '../../../shared/model/skill.ts';

/** A thing that is offered, as the index sees it: texts to be searched, and facts to be filtered by. */
export interface SearchDocument {
  readonly kind: SearchKind;
  readonly serverKey: string;
  /** The name that people gave the server. */
  readonly serverTitle?: string | undefined;
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

/** What is kept of a tool's skills across restarts. */
export interface KeptToolSkills {
  readonly serverKey: string;
  readonly name: string;
  /** Of the texts that were classified. */
  readonly digest: string;
  readonly classifier: string;
  readonly by: 'rules' | 'model' | 'person';
  readonly skills: readonly SkillShare[];
  readonly keywords: readonly string[];
}

export interface KeptSuggestion {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tools: readonly { readonly serverKey: string; readonly name: string }[];
  readonly by: 'rules' | 'model';
  readonly state: 'open' | 'accepted' | 'dismissed';
}

/** Where skills are kept. Writing is done later, and whatever goes wrong with it is told elsewhere. */
export interface SkillKeeper {
  load(): Promise<{
    readonly tools: readonly KeptToolSkills[];
    readonly suggestions: readonly KeptSuggestion[];
  }>;
  saveTools(tools: readonly KeptToolSkills[]): void;
  saveSuggestion(suggestion: KeptSuggestion): void;
  forget(serverKey: string, names: readonly string[]): void;
}

/** What runs a model of meaning on this machine. */
export interface EmbeddingProgram {
  /** The program of its thread (`embedding.mjs`). */
  readonly thread: URL;
  /** The WebAssembly that the thread loads (`onnxruntime.wasm`), a file. */
  readonly runtime: URL;
}

/** Where vectors are kept, by the model that made them and the digest of their text. */
export interface VectorKeeper {
  vectors(model: string, digests: readonly string[]): Promise<ReadonlyMap<string, Float32Array>>;
  saveVectors(model: string, vectors: ReadonlyMap<string, Float32Array>): Promise<void>;
}

/** What a classifier found out about one tool. */
export interface ToolAnswer {
  readonly skills: readonly SkillShare[];
  /** Searched, never shown. */
  readonly keywords: readonly string[];
}

/** A skill a classifier would like there to be, and for which tools. */
export interface SkillIdea {
  readonly name: string;
  readonly description: string;
  readonly tools: readonly string[];
}

export interface ClassifierAnswer {
  /** By the names of tools; one that is missing could not be classified. */
  readonly tools: ReadonlyMap<string, ToolAnswer>;
  readonly ideas: readonly SkillIdea[];
}

/** Says what tools are good for. */
export interface ToolClassifier {
  readonly by: 'rules' | 'model';
  /** Another one would find out anew. */
  readonly tag: string;
  /** How many it takes at a time. */
  readonly atOnce: number;
  /** Classifies `wanted`, knowing everything that the server offers. Rejects where it cannot. */
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
