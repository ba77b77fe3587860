import type { Mutant } from './mutants.d.mts';

export function startHttpServers(mutants: ReadonlyMap<string, readonly Mutant[]>): Promise<{
  url(key: string, way: string): string;
  close(): Promise<void>;
}>;
