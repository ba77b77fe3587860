import { z } from 'zod';
import { problemSchema } from '../error/problem-schema.ts';
import { entryVariableSchema } from './entry-variable.ts';
import { guardModes } from './guard.ts';
import { entryIssueSchema } from './import.ts';
import { secretNameSchema } from './secret.ts';

/** A file of another program that servers can be imported from; known to be there, not read yet. */
export const importSourceSchema = z.object({
  /** Names it to `import.read`. */
  id: z.string(),
  /** The client it belongs to, by its id in the table of clients. */
  client: z.string(),
  title: z.string(),
  file: z.string(),
  modifiedAt: z.number(),
});
export type ImportSource = Readonly<z.infer<typeof importSourceSchema>>;

/** Something that the source leaves to be asked for: an input of VS Code, a folder, a setting of a bundle. */
export const importInputSchema = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string().optional(),
  /** What is typed into a `password` goes to the vault. */
  kind: z.enum(['text', 'password', 'choice', 'folder', 'file', 'number', 'boolean']),
  options: z.array(z.string()).readonly().optional(),
  /** Each line is a value of its own. */
  multiple: z.boolean().optional(),
  /** Never given for a `password`. */
  default: z.string().optional(),
  required: z.boolean(),
  /** For a `password`: the name it is stored under, unless another one is chosen. */
  secretName: secretNameSchema.optional(),
});
export type ImportInput = Readonly<z.infer<typeof importInputSchema>>;

/** A value in plain text that is likely to be a secret; only its place is told. */
export const importSecretSchema = z.object({
  id: z.string(),
  /** Relative to the entry, for example `env.TOKEN`. */
  path: z.string(),
  secretName: secretNameSchema,
});
export type ImportSecret = Readonly<z.infer<typeof importSecretSchema>>;

/** What the config has already of an entry. */
export const duplicateSchema = z.discriminatedUnion('kind', [
  /** A server of the same key; `same` when it also runs the same. */
  z.object({ kind: z.literal('key'), key: z.string(), same: z.boolean() }),
  /** Another key that runs the same. */
  z.object({ kind: z.literal('target'), key: z.string() }),
]);

/** A server found in a source. Values of `env` and `headers`, and what looks like a secret elsewhere, stay behind. */
export const importEntrySchema = z.object({
  id: z.string(),
  /** Suggested: free of what makes wire names long, and not taken. */
  key: z.string(),
  writtenKey: z.string(),
  /** Command line or address, secrets replaced. */
  target: z.string(),
  transport: z.enum(['stdio', 'http', 'sse']),
  /** Switched off where it comes from; it is added so. */
  disabled: z.boolean(),
  variables: z.array(entryVariableSchema).readonly(),
  issues: z.array(entryIssueSchema).readonly(),
  duplicate: duplicateSchema.optional(),
  secrets: z.array(importSecretSchema).readonly(),
  /** Ids of the inputs it needs. */
  inputs: z.array(z.string()).readonly(),
  /** The project it belongs to, where its source keeps several. */
  project: z.string().optional(),
  /** Whether it is chosen before the person decides: it has no error and is no duplicate. */
  suggested: z.boolean(),
});
export type ImportEntry = Readonly<z.infer<typeof importEntrySchema>>;

/** What a source holds. The session keeps the real values in the engine until it is closed. */
export const importPreviewSchema = z.object({
  session: z.string(),
  title: z.string(),
  file: z.string().optional(),
  entries: z.array(importEntrySchema).readonly(),
  inputs: z.array(importInputSchema).readonly(),
  /** About the source as a whole. */
  issues: z.array(entryIssueSchema).readonly(),
  /** Forms that servers of a text were read in, for example `an install link`. */
  forms: z.array(z.string()).readonly().optional(),
  /** Whether the entries can be taken out of the client's file and our own put there instead. */
  canReplace: z.boolean(),
});
export type ImportPreview = Readonly<z.infer<typeof importPreviewSchema>>;

/** What a person decides about a preview. */
export const importChoicesSchema = z.object({
  session: z.string(),
  entries: z.array(
    z.object({
      id: z.string(),
      key: z.string(),
      /** Secrets to be put into the vault, under these names. The others stay in the config as they are. */
      secrets: z.array(z.object({ id: z.string(), secretName: secretNameSchema })),
    }),
  ),
  inputs: z.array(z.object({ id: z.string(), value: z.string(), secretName: secretNameSchema.optional() })),
  /** Takes the imported entries out of the client's file and puts our one entry there. */
  replace: z.boolean(),
  /** What becomes of the tools of servers that do not say so themselves. */
  guard: z.enum(guardModes).optional(),
});
export type ImportChoices = z.infer<typeof importChoicesSchema>;

export const importResultSchema = z.object({
  added: z.array(z.string()).readonly(),
  /** Entries that could not be added; the others were. */
  failed: z.array(z.object({ key: z.string(), problem: problemSchema })).readonly(),
  /** Names that were put into the vault. */
  secrets: z.array(z.string()).readonly(),
  /** What became of the client's file, if it was to be changed. */
  replaced: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('written'), file: z.string(), backup: z.string().optional() }),
      z.object({ kind: z.literal('refused'), file: z.string(), problem: problemSchema }),
    ])
    .optional(),
  /** Takes everything back: the servers, the secrets, the client's file. */
  undoId: z.string().optional(),
});
export type ImportResult = Readonly<z.infer<typeof importResultSchema>>;
