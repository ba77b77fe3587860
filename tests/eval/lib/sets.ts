import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { holdsPublicSets, readPublicSets } from './public-sets.ts';
import { type GradedQuery, type LabelledTool, readQueries, readTools } from './read-data.ts';

/** Tools and queries for them; each set is a catalogue of its own. */
export interface EvaluationSet {
  readonly name: string;
  readonly tools: readonly LabelledTool[];
  readonly queries: readonly GradedQuery[];
}

/** The folder with the sets of this repository. */
export const dataFolder = join(import.meta.dirname, '..', 'data');

/** Reads the sets of a folder: the folder itself, the folders in it, or public sets in JSON. */
export function readSets(folder: string): readonly EvaluationSet[] {
  if (holdsPublicSets(folder)) return readPublicSets(folder);
  if (isSet(folder)) return [readSet('', folder)];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && isSet(join(folder, entry.name)))
    .map(({ name }) => readSet(name, join(folder, name)));
}

function isSet(folder: string): boolean {
  return existsSync(join(folder, 'tools.txt'));
}

function readSet(name: string, folder: string): EvaluationSet {
  return { name, tools: readTools(folder), queries: readQueries(folder) };
}
