import type { ActivityFormat } from '../../../shared/model/activity.ts';

export interface StoredActivityOptions {
  /** See DataPaths. */
  readonly file: string;
  readonly format: ActivityFormat;
  /** Only so many of the newest; all by default. */
  readonly limit?: number | undefined;
}

/** Reads stored activity as lines, newest first, whether or not a hub runs. Rejects like StateDb. */
export async function* storedActivity(options: StoredActivityOptions): AsyncGenerator<string> {
  // Loads the database code only if needed.
  const { readStored: readKept } = await import('./desk/read-kept.ts');
  yield* readKept(options);
}
