import type { Importer } from '../import/contract.ts';

/** The part of the engine that brings servers along from elsewhere. */
export interface ImportEngine {
  readonly imports: Importer;
}
