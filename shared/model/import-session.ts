import { z } from 'zod';
import { problemSchema } from '../error/problem-schema.ts';
import { appliedFileSchema, connectPreviewSchema } from './connect.ts';
import { entryVariableSchema } from './entry-variable.ts';
import { guardModes } from './guard.ts';
import { entryIssueSchema } from './import.ts';
import { secretNameSchema } from './secret.ts';

/** A file of an app, and how many servers stand in it. */
export const importAppSchema = z.object({
  /** The app's id in the table of clients. */
  client: z.string(),
  title: z.string(),
  file: z.string(),
  servers: z.number(),
  /** Why it could not be read. */
  problem: problemSchema.optional(),
});
export type ImportApp = Readonly<z.infer<typeof importAppSchema>>;

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
  /** Name for people that is kept beside the key, where it is another one. */
  title: z.string().optional(),
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
  /** The apps it comes from; one may have it several times. */
  origins: z.array(z.object({ client: z.string(), title: z.string() })).readonly(),
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
  /** The files it was read from, where those belong to apps: entries can be moved out of them. */
  apps: z.array(importAppSchema).readonly(),
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
  /** Added servers that do not start before a person enters what they lack. */
  waiting: z.array(z.object({ key: z.string(), values: z.array(z.string()).readonly() })).readonly(),
  /** Takes everything back: the servers, the secrets, the apps' files. */
  undoId: z.string().optional(),
});
export type ImportResult = Readonly<z.infer<typeof importResultSchema>>;

/** Apps whose servers are to be Patchbay's. */
export const moveWishSchema = z.object({
  session: z.string(),
  /** Entries that count as imported although they are not yet. */
  entries: z.array(z.string()).max(10_000),
  /** The apps that are asked for; all of them, if not said. */
  clients: z.array(z.string().max(64)).max(100).optional(),
});
export type MoveWish = z.infer<typeof moveWishSchema>;

/** What moving an app's servers would do to its files. */
export const movePreviewSchema = z.object({
  client: z.string(),
  title: z.string(),
  /** Names of the servers that go, as the app has them. */
  servers: z.array(z.string()).readonly(),
  pickupText: z.string(),
  outcome: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('ready'), preview: connectPreviewSchema }),
    z.object({ kind: z.literal('refused'), problem: problemSchema }),
  ]),
});
export type MovePreview = Readonly<z.infer<typeof movePreviewSchema>>;

export const moveChoicesSchema = z.object({
  session: z.string(),
  apps: z.array(z.object({ client: z.string().max(64), previewId: z.string() })).max(100),
  /** The import that this belongs to: one undo takes both back. */
  undoId: z.string().optional(),
});
export type MoveChoices = z.infer<typeof moveChoicesSchema>;

export const moveResultSchema = z.object({
  apps: z
    .array(
      z.object({
        client: z.string(),
        title: z.string(),
        /** What is left to do in the app. */
        pickupText: z.string(),
        files: z.array(appliedFileSchema).readonly(),
        /** Why nothing of it was written. */
        problem: problemSchema.optional(),
      }),
    )
    .readonly(),
  undoId: z.string(),
});
export type MoveResult = Readonly<z.infer<typeof moveResultSchema>>;
