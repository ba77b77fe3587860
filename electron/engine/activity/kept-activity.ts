import type { ActivityFormat } from '../../../shared/model/activity.ts';

export interface KeptActivityOptions {
  /** See DataPaths. */
  readonly file: string;
  readonly format: ActivityFormat;
  /** Only so many of the newest; all by default. */
  readonly most?: number | undefined;
}

/** Reads stored activity as lines, newest first, whether or not a hub runs. Rejects like StateDb. */
export async function* keptActivity(options: KeptActivityOptions): AsyncGenerator<string> {
  // Loads the database code only if needed.
  const { readKept } = await import('./desk/read-kept.ts');
  yield* readKept(options);
}
