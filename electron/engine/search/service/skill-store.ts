import { z } from 'zod';
import { parseJson } from '../../../../shared/json.ts';
import type { Clock } from '../../base/clock.ts';
import type { StateDb } from '../../store/db/state-db.ts';
import type { StateQueries } from '../../store/db/tables.ts';
import { createWriteBatcher } from '../../store/db/write-batcher.ts';
import type { SkillStorage, StoredSuggestion, StoredToolSkills, VectorStorage } from '../contract.ts';

declare module '../../store/db/tables.ts' {
  interface StateTables {
    readonly tool_skill: ToolSkillRow;
    readonly skill_suggestion: SkillSuggestionRow;
    readonly text_vector: TextVectorRow;
  }
}

/** Skills found for a tool, with the classifier and the digest of the text; lists as JSON. */
export interface ToolSkillRow {
  readonly server: string;
  readonly tool: string;
  readonly digest: string;
  readonly classifier: string;
  readonly by: string;
  readonly skills: string;
  readonly keywords: string;
}

/** A suggested skill, and what was decided about it. */
export interface SkillSuggestionRow {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tools: string;
  readonly by: string;
  readonly state: string;
}

/** Embedding of a text by a model: consecutive 32-bit numbers. */
export interface TextVectorRow {
  readonly model: string;
  readonly digest: string;
  readonly vector: Uint8Array;
}

/** Stores skills and vectors in `state.db`. Its promises reject like those of StateDb. */
export interface SkillStore extends SkillStorage, VectorStorage {
  flush(): Promise<boolean>;
}

type Change =
  | { readonly kind: 'tool'; readonly tool: StoredToolSkills }
  | { readonly kind: 'suggestion'; readonly suggestion: StoredSuggestion }
  | { readonly kind: 'forget'; readonly serverKey: string; readonly name: string };

export function skillStore(state: StateDb, clock: Clock): SkillStore {
  const batcher = createWriteBatcher<Change>({
    clock,
    condense: (changes) => changes.slice(-maxPending),
    write: (changes) => write(state, changes),
  });
  return {
    load: () => state.runIfThere(readAll, { tools: [], suggestions: [] }),
    saveTools: (tools) => {
      for (const tool of tools) batcher.add({ kind: 'tool', tool });
    },
    saveSuggestion: (suggestion) => batcher.add({ kind: 'suggestion', suggestion }),
    forget: (serverKey, names) => {
      for (const name of names) batcher.add({ kind: 'forget', serverKey, name });
    },
    vectors: (model, digests) => state.runIfThere((db) => readVectors(db, model, digests), new Map()),
    saveVectors: (model, vectors) => state.run((db) => writeVectors(db, model, vectors)),
    flush: () => batcher.flush(),
  };
}

/** Limit while changes cannot be written. */
const maxPending = 20_000;

/** Deleting alone creates no database. */
function write(state: StateDb, changes: readonly Change[]): Promise<void> {
  const query = (db: StateQueries) =>
    db.transaction().execute(async (step) => {
      for (const change of changes) await apply(step, change);
    });
  const isStoring = changes.some(({ kind }) => kind !== 'forget');
  return isStoring ? state.run(query) : state.runIfThere(query, undefined);
}

function apply(db: StateQueries, change: Change): Promise<unknown> {
  switch (change.kind) {
    case 'tool':
      return db.replaceInto('tool_skill').values(toolRow(change.tool)).execute();
    case 'suggestion':
      return db.replaceInto('skill_suggestion').values(suggestionRow(change.suggestion)).execute();
    case 'forget':
      return db
        .deleteFrom('tool_skill')
        .where('server', '=', change.serverKey)
        .where('tool', '=', change.name)
        .execute();
  }
}

async function readAll(db: StateQueries) {
  const tools = await db.selectFrom('tool_skill').selectAll().execute();
  const suggestions = await db.selectFrom('skill_suggestion').selectAll().execute();
  return { tools: tools.flatMap(fromToolRow), suggestions: suggestions.flatMap(fromSuggestionRow) };
}

async function readVectors(db: StateQueries, model: string, digests: readonly string[]) {
  const found = new Map<string, Float32Array>();
  for (let from = 0; from < digests.length; from += maxValues) {
    const rows = await db
      .selectFrom('text_vector')
      .select(['digest', 'vector'])
      .where('model', '=', model)
      .where('digest', 'in', digests.slice(from, from + maxValues))
      .execute();
    for (const { digest, vector } of rows) found.set(digest, numbersOf(vector));
  }
  return found;
}

/** SQLite limits the number of values in a query. */
const maxValues = 500;

/** Copies the bytes: they may be unaligned, and the driver returns a buffer type of its own. */
function numbersOf(bytes: Uint8Array | ArrayBuffer): Float32Array {
  return new Float32Array(new Uint8Array(bytes).buffer);
}

function writeVectors(
  db: StateQueries,
  model: string,
  vectors: ReadonlyMap<string, Float32Array>,
): Promise<void> {
  return db.transaction().execute(async (step) => {
    for (const [digest, { buffer, byteOffset, byteLength }] of vectors) {
      const vector = Buffer.from(buffer, byteOffset, byteLength);
      await step.replaceInto('text_vector').values({ model, digest, vector }).execute();
    }
  });
}

const shares = z.array(z.object({ id: z.string(), confidence: z.number() }));
const names = z.array(z.string());
const tools = z.array(z.object({ serverKey: z.string(), name: z.string() }));
const toolBy = z.enum(['rules', 'model', 'person']);
const suggestionBy = z.enum(['rules', 'model']);
const suggestionState = z.enum(['open', 'accepted', 'dismissed']);

function toolRow(tool: StoredToolSkills): ToolSkillRow {
  const { serverKey, name, digest, classifier, by } = tool;
  const lists = { skills: JSON.stringify(tool.skills), keywords: JSON.stringify(tool.keywords) };
  return { server: serverKey, tool: name, digest, classifier, by, ...lists };
}

/** Ignores a row that cannot be read: the tool is classified again. */
function fromToolRow(row: ToolSkillRow): readonly StoredToolSkills[] {
  const by = toolBy.safeParse(row.by);
  const skills = shares.safeParse(parseJson(row.skills));
  const keywords = names.safeParse(parseJson(row.keywords));
  if (!by.success || !skills.success || !keywords.success) return [];
  const { server: serverKey, tool: name, digest, classifier } = row;
  return [{ serverKey, name, digest, classifier, by: by.data, skills: skills.data, keywords: keywords.data }];
}

function suggestionRow(suggestion: StoredSuggestion): SkillSuggestionRow {
  return { ...suggestion, tools: JSON.stringify(suggestion.tools) };
}

function fromSuggestionRow(row: SkillSuggestionRow): readonly StoredSuggestion[] {
  const by = suggestionBy.safeParse(row.by);
  const state = suggestionState.safeParse(row.state);
  const about = tools.safeParse(parseJson(row.tools));
  if (!by.success || !state.success || !about.success) return [];
  const { id, name, description } = row;
  return [{ id, name, description, tools: about.data, by: by.data, state: state.data }];
}
