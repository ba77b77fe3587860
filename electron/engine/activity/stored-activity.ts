import type { StoredActivityOptions } from './contract.ts';

/** Reads stored activity as lines, newest first, whether or not a hub runs. Rejects like StateDb. */
export async function* storedActivity(options: StoredActivityOptions): AsyncGenerator<string> {
  // Loads the database code only if needed.
  const { readStored } = await import('./worker/read-stored.ts');
  yield* readStored(options);
}
