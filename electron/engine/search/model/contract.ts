/** A language model. Its output is untrusted text, no matter who runs it. */
export interface LanguageModel {
  /** Identifies the model. */
  readonly tag: string;
  /** Resolves to the text of the answer. Rejects if there is none within a limited time. */
  ask(question: ModelQuestion): Promise<string>;
}

export interface ModelQuestion {
  readonly instructions: string;
  readonly text: string;
  /** Maximum tokens of the answer. */
  readonly maxTokens: number;
}

/** The endpoint of a model. */
export interface ModelEndpoint {
  readonly url: string;
  readonly model: string;
  /** Read for each request; used in a header only. */
  readonly key: () => string | undefined;
}
