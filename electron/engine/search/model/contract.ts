/** A language model that can be asked. What it says is untrusted text, whoever runs it. */
export interface LanguageModel {
  /** Names it among others. */
  readonly tag: string;
  /** The text of its answer. Rejects where there is none, within a bounded time. */
  ask(question: ModelQuestion): Promise<string>;
}

export interface ModelQuestion {
  readonly instructions: string;
  readonly text: string;
  /** Tokens of its answer at most. */
  readonly longest: number;
}

/** Where a model is reached. */
export interface ModelEndpoint {
  readonly url: string;
  readonly model: string;
  /** Read anew for each request; it goes into a header and nowhere else. */
  readonly key: () => string | undefined;
}
