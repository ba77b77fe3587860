import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { toolDocument } from '../../../electron/engine/search/index/documents.ts';
import type { GradedQuery, LabelledTool } from './read-data.ts';
import type { EvaluationSet } from './sets.ts';

const corpusSchema = z.object({
  tools: z.array(
    z.object({
      id: z.string(),
      server: z.string(),
      name: z.string(),
      description: z.string(),
      params: z.array(z.object({ name: z.string(), description: z.string().optional() })),
    }),
  ),
});
const queriesSchema = z.object({
  queries: z.array(z.object({ type: z.string(), query: z.string(), gold: z.array(z.string()) })),
});
const labelsSchema = z.object({
  items: z.array(z.object({ tool: z.string(), skills: z.array(z.string()) })),
});

/** Tells whether a folder holds public sets: `corpus/NAME.json` with `dev/NAME.json`. */
export function holdsPublicSets(folder: string): boolean {
  return existsSync(join(folder, 'corpus')) && existsSync(join(folder, 'dev'));
}

/** Reads the public sets of a folder; their texts belong to others and are never part of this repository. */
export function readPublicSets(folder: string): readonly EvaluationSet[] {
  const searches = readdirSync(join(folder, 'dev')).map((file) => ({
    name: basename(file, '.json'),
    tools: readCorpus(join(folder, 'corpus', file), new Map()),
    queries: readQueries(join(folder, 'dev', file)),
  }));
  return [...searches, ...readLabelledSets(join(folder, 'classify'))];
}

/** Reads `dev-*.json` of labelled tools; `corpus-dev.json` has them with all other tools of their servers. */
function readLabelledSets(folder: string): readonly EvaluationSet[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.startsWith('dev-'))
    .map((file) => {
      const { items } = labelsSchema.parse(readJson(join(folder, file)));
      const labels = new Map(items.map(({ tool, skills }) => [tool, skills]));
      return {
        name: basename(file, '.json'),
        tools: readCorpus(join(folder, 'corpus-dev.json'), labels),
        queries: [],
      };
    });
}

function readCorpus(file: string, labels: ReadonlyMap<string, readonly string[]>): readonly LabelledTool[] {
  return corpusSchema.parse(readJson(file)).tools.map(({ id, server, name, description, params }) => {
    const properties = Object.fromEntries(params.map((one) => [one.name, { description: one.description }]));
    const item = { name, description, inputSchema: { type: 'object', properties } };
    const document = toolDocument(server, name, item, true);
    return { half: 'dev', item, document, skills: labels.get(id) ?? [] };
  });
}

function readQueries(file: string): readonly GradedQuery[] {
  return queriesSchema.parse(readJson(file)).queries.map(({ type, query, gold }) => ({
    half: 'dev',
    type,
    query,
    grades: new Map(gold.map((id) => [id.replace('/', ':'), 1])),
  }));
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
