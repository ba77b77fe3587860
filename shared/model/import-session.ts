import { z } from 'zod';
import { problemSchema } from '../error/problem-schema.ts';
import { appliedFileSchema, connectPreviewSchema } from './connect.ts';
import { entryVariableSchema } from './entry-variable.ts';
import { guardModes } from './guard.ts';
import { entryIssueSchema } from './import.ts';
import { secretNameSchema } from './secret.ts';

/** A file of an app, with the number of servers in it. */
export const importAppSchema = z.object({
  /** The app's id in the client table. */
  client: z.string(),
  title: z.string(),
  file: z.string(),
  servers: z.number(),
  /** Reason why the file could not be read. */
  problem: problemSchema.optional(),
});
export type ImportApp = Readonly<z.infer<typeof importAppSchema>>;

/** A value that the source asks the user for: an input of VS Code, a folder, a setting of a bundle. */
export const importInputSchema = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string().optional(),
  /** The value of a `password` is stored in the vault. */
  kind: z.enum(['text', 'password', 'choice', 'folder', 'file', 'number', 'boolean']),
  options: z.array(z.string()).readonly().optional(),
  /** True if each line is a separate value. */
  multiple: z.boolean().optional(),
  /** Never present for a `password`. */
  default: z.string().optional(),
  required: z.boolean(),
  /** Default name in the vault, for a `password`. */
  secretName: secretNameSchema.optional(),
});
export type ImportInput = Readonly<z.infer<typeof importInputSchema>>;

/** A plain-text value that is probably a secret; only its location is exposed. */
export const importSecretSchema = z.object({
  id: z.string(),
  /** Path within the entry, for example `env.TOKEN`. */
  path: z.string(),
  secretName: secretNameSchema,
});
export type ImportSecret = Readonly<z.infer<typeof importSecretSchema>>;

/** An existing server that matches an entry. */
export const duplicateSchema = z.discriminatedUnion('kind', [
  /** A server with the same key; `same` if it also runs the same program or address. */
  z.object({ kind: z.literal('key'), key: z.string(), same: z.boolean() }),
  /** A server with another key that runs the same program or address. */
  z.object({ kind: z.literal('target'), key: z.string() }),
]);

/**
 * A server found in a source. Values of `env` and `headers`, and anything else that looks like a secret, are
 * left out.
 */
export const importEntrySchema = z.object({
  id: z.string(),
  /** Suggested key: short enough for wire names and not in use. */
  key: z.string(),
  writtenKey: z.string(),
  /** Display name, if it differs from the key. */
  title: z.string().optional(),
  /** Command line or address, secrets replaced. */
  target: z.string(),
  transport: z.enum(['stdio', 'http', 'sse']),
  /** True if it is disabled in the source; it is added disabled. */
  disabled: z.boolean(),
  variables: z.array(entryVariableSchema).readonly(),
  issues: z.array(entryIssueSchema).readonly(),
  duplicate: duplicateSchema.optional(),
  secrets: z.array(importSecretSchema).readonly(),
  /** Ids of the inputs that it needs. */
  inputs: z.array(z.string()).readonly(),
  /** The project it belongs to, if the source has several. */
  project: z.string().optional(),
  /** The apps it comes from; one app may list it several times. */
  origins: z.array(z.object({ client: z.string(), title: z.string() })).readonly(),
  /** True if it is selected by default: it has no error and is not a duplicate. */
  suggested: z.boolean(),
});
export type ImportEntry = Readonly<z.infer<typeof importEntrySchema>>;

/** Contents of a source. The engine keeps the real values in the session until it is closed. */
export const importPreviewSchema = z.object({
  session: z.string(),
  title: z.string(),
  file: z.string().optional(),
  entries: z.array(importEntrySchema).readonly(),
  inputs: z.array(importInputSchema).readonly(),
  /** Issues of the source as a whole. */
  issues: z.array(entryIssueSchema).readonly(),
  /** Formats in which servers were found in a text, for example `an install link`. */
  forms: z.array(z.string()).readonly().optional(),
  /** The apps' files that were read, if any; entries can be moved out of them. */
  apps: z.array(importAppSchema).readonly(),
});
export type ImportPreview = Readonly<z.infer<typeof importPreviewSchema>>;

/** The user's choices for a preview. */
export const importChoicesSchema = z.object({
  session: z.string(),
  entries: z.array(
    z.object({
      id: z.string(),
      key: z.string(),
      /** Secrets to store in the vault under these names. Others stay in the config. */
      secrets: z.array(z.object({ id: z.string(), secretName: secretNameSchema })),
    }),
  ),
  inputs: z.array(z.object({ id: z.string(), value: z.string(), secretName: secretNameSchema.optional() })),
  /** Guard mode for servers that do not set their own. */
  guard: z.enum(guardModes).optional(),
});
export type ImportChoices = z.infer<typeof importChoicesSchema>;

export const importResultSchema = z.object({
  added: z.array(z.string()).readonly(),
  /** Entries that could not be added; the others were. */
  failed: z.array(z.object({ key: z.string(), problem: problemSchema })).readonly(),
  /** Names stored in the vault. */
  secrets: z.array(z.string()).readonly(),
  /** Added servers that do not start until the user enters missing values. */
  waiting: z.array(z.object({ key: z.string(), values: z.array(z.string()).readonly() })).readonly(),
  /** Undoes everything: the servers, the secrets, the apps' files. */
  undoId: z.string().optional(),
});
export type ImportResult = Readonly<z.infer<typeof importResultSchema>>;

/** Apps whose servers should move to Patchbay. */
export const moveRequestSchema = z.object({
  session: z.string(),
  /** Entries to treat as imported although they are not yet. */
  entries: z.array(z.string()).max(10_000),
  /** Apps to preview; all by default. */
  clients: z.array(z.string().max(64)).max(100).optional(),
});
export type MoveRequest = z.infer<typeof moveRequestSchema>;

/** Planned changes to an app's files. */
export const movePreviewSchema = z.object({
  client: z.string(),
  title: z.string(),
  /** Names of the servers to remove, as the app has them. */
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
  /** The related import, so that one undo reverts both. */
  undoId: z.string().optional(),
});
export type MoveChoices = z.infer<typeof moveChoicesSchema>;

export const moveResultSchema = z.object({
  apps: z
    .array(
      z.object({
        client: z.string(),
        title: z.string(),
        /** Steps left to do in the app. */
        pickupText: z.string(),
        files: z.array(appliedFileSchema).readonly(),
        /** Reason why nothing was written. */
        problem: problemSchema.optional(),
      }),
    )
    .readonly(),
  undoId: z.string(),
});
export type MoveResult = Readonly<z.infer<typeof moveResultSchema>>;
