import type { Importer } from '../import/contract.ts';

/** The part of the engine that imports servers from other apps and files. */
export interface ImportEngine {
  readonly imports: Importer;
}
