import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type GradedQuery, type LabelledTool, readQueries, readTools } from './read-data.ts';

/** Tools and what is asked of them; each set is a catalogue of its own. */
export interface EvaluationSet {
  readonly name: string;
  readonly tools: readonly LabelledTool[];
  readonly queries: readonly GradedQuery[];
}

/** Where this repository's own sets are. */
export const dataFolder = join(import.meta.dirname, '..', 'data');

/** The sets in a folder: itself, where it is one, or each folder in it that is. */
export function readSets(folder: string): readonly EvaluationSet[] {
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
