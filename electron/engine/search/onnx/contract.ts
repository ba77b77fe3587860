import type { Problem } from '../../../../shared/error/problem.ts';

/** The files of a model in a folder of this machine. */
export interface ModelFolder {
  readonly folder: string;
  readonly model: string;
  /** Weights that lie beside the model, where it has them so. */
  readonly data?: string;
  readonly tokenizer: string;
  /** Changes when one of its files does: names, sizes and times. */
  readonly identity: string;
}

/** What a query is compared with, or the query: some models want a word of introduction for each. */
export type TextRole = 'text' | 'query';

/** Given to a thread as it begins. */
export interface ThreadTask {
  readonly files: ModelFolder;
  /** The WebAssembly of the runtime, a file. */
  readonly runtime: string;
}

export interface EmbedRequest {
  readonly id: number;
  readonly texts: readonly string[];
  readonly role: TextRole;
}

/** What a thread says. It ends by itself only where it has failed to load. */
export type ThreadMessage =
  | { readonly kind: 'loaded'; readonly dimension: number }
  | { readonly kind: 'unusable'; readonly problem: Problem }
  | { readonly kind: 'embedded'; readonly id: number; readonly vectors: readonly Float32Array[] }
  | { readonly kind: 'failed'; readonly id: number; readonly problem: Problem };
