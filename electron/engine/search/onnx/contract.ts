import type { Problem } from '../../../../shared/error/problem.ts';

/** The files of a model in a local folder. */
export interface ModelFolder {
  readonly folder: string;
  readonly model: string;
  /** A separate weights file, if the model has one. */
  readonly data?: string;
  readonly tokenizer: string;
  /** Changes when one of its files changes: names, sizes and times. */
  readonly identity: string;
}

/** Text to search, or query: some models need a prefix for each. */
export type TextRole = 'text' | 'query';

/** Initial data of a thread. */
export interface ThreadData {
  readonly files: ModelFolder;
  /** The WebAssembly file of the runtime. */
  readonly runtime: string;
}

export interface EmbedRequest {
  readonly id: number;
  readonly texts: readonly string[];
  readonly role: TextRole;
}

/** Messages from the thread. It exits by itself only if loading failed. */
export type ThreadMessage =
  | { readonly kind: 'loaded'; readonly dimension: number }
  | { readonly kind: 'unusable'; readonly problem: Problem }
  | { readonly kind: 'embedded'; readonly id: number; readonly vectors: readonly Float32Array[] }
  | { readonly kind: 'failed'; readonly id: number; readonly problem: Problem };
