import type { ActivityFormat } from '../../../shared/model/activity.ts';

export interface KeptActivityOptions {
  /** See DataPaths. */
  readonly file: string;
  readonly format: ActivityFormat;
  /** The newest so many; all by default. */
  readonly most?: number | undefined;
}

/** What is kept of activity, as lines, the newest first; with or without a hub. Rejects as StateDb does. */
export async function* keptActivity(options: KeptActivityOptions): AsyncGenerator<string> {
  // The database is loaded where it is needed only.
  const { readKept } = await import('./desk/read-kept.ts');
  yield* readKept(options);
}
