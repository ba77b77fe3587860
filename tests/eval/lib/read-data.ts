import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SearchDocument } from '../../../electron/engine/search/contract.ts';
import { toolDocument } from '../../../electron/engine/search/index/documents.ts';

export type Half = 'dev' | 'held';

/** A tool with the skills a person gave it, the best first. */
export interface LabelledTool {
  readonly half: Half;
  readonly document: SearchDocument;
  readonly item: Readonly<Record<string, unknown>>;
  readonly skills: readonly string[];
}

export interface GradedQuery {
  readonly half: Half;
  readonly type: string;
  readonly query: string;
  /** By `server:tool`, 1 to 3. */
  readonly grades: ReadonlyMap<string, number>;
}

/** Reads `tools.txt` of a folder; its form stands in its first lines. */
export function readTools(folder: string): readonly LabelledTool[] {
  const given = readSkills(folder);
  const tools: LabelledTool[] = [];
  let server = '';
  let half: Half = 'dev';
  for (const line of lines(folder, 'tools.txt')) {
    const heading = /^\[(.+)\] (dev|held)$/.exec(line);
    if (heading !== null) {
      server = heading[1] ?? '';
      half = heading[2] === 'held' ? 'held' : 'dev';
      continue;
    }
    const [name = '', parameters = '', description = '', skills = ''] = line
      .split('|')
      .map((part) => part.trim());
    const properties = Object.fromEntries(words(parameters).map((one) => [one, {}]));
    const item = { name, description, inputSchema: { type: 'object', properties } };
    const told = skills === '' ? given(`${server}:${name}`) : words(skills);
    tools.push({ half, item, document: toolDocument(server, name, item, true), skills: told });
  }
  return tools;
}

/** The skills that stand in a file of their own, by `server:tool`; a later line counts before an earlier one. */
function readSkills(folder: string): (id: string) => readonly string[] {
  if (!existsSync(join(folder, 'skills.txt'))) return () => [];
  const rules = lines(folder, 'skills.txt').map((line) => {
    const [pattern = '', skills = ''] = line.split(' | ');
    const parts = pattern.split('*').map((part) => part.replace(/\W/g, '\\$&'));
    return { matches: new RegExp(`^${parts.join('.*')}$`), skills: words(skills) };
  });
  return (id) => rules.findLast(({ matches }) => matches.test(id))?.skills ?? [];
}

/** Reads what people ask, and what a program made of the names of the tools. */
export function readQueries(folder: string): readonly GradedQuery[] {
  const files = ['queries.txt', 'named.txt'].filter((file) => existsSync(join(folder, file)));
  return files
    .flatMap((file) => lines(folder, file))
    .map((line) => {
      const [half, type = '', query = '', relevant = ''] = line.split(' | ');
      const grades = words(relevant).map((one): [string, number] => {
        const at = one.lastIndexOf('=');
        return [one.slice(0, at), Number(one.slice(at + 1))];
      });
      return { half: half === 'held' ? 'held' : 'dev', type, query, grades: new Map(grades) };
    });
}

function lines(folder: string, file: string): readonly string[] {
  return readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
}

function words(text: string): readonly string[] {
  return text.split(' ').filter((word) => word !== '');
}
