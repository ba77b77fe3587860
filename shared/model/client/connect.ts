import { z } from 'zod';
import { problemSchema } from '../../error/problem-schema.ts';

/** Id of a program that can be connected: one row of `electron/engine/clients/table` (`claude-desktop`). */
export const connectIdSchema = z.string().max(64);

/**
 * Connection state of a client, as far as known without reading its files unasked:
 *
 * - `not-found`: neither its config file nor its folder exists on this machine.
 * - `found`: it exists; we have not written to it.
 * - `connected`: we wrote our entry, and it was there at the last check.
 * - `wiped`: our entry is gone from a file that we wrote it to.
 * - `changed`: our entry differs from what we wrote, or its file can no longer be read (`problem` says
 * which).
 * - `manual`: it has no writable config file; the user connects it with a snippet.
 */
export const connectStatuses = ['not-found', 'found', 'connected', 'wiped', 'changed', 'manual'] as const;
export type ConnectStatus = (typeof connectStatuses)[number];

/** One file of a client's config; Claude Desktop on Windows can have two. */
export const connectFileSchema = z.object({
  file: z.string(),
  exists: z.boolean(),
  /** True if the user chose the file ("It's here"). */
  chosen: z.boolean(),
  status: z.enum(['found', 'connected', 'wiped', 'changed']),
});
export type ConnectFile = Readonly<z.infer<typeof connectFileSchema>>;

/** How the client picks up a change of its file, to tell the user what is left to do. */
export const pickups = ['quit-and-restart', 'restart', 'reload', 'by-itself'] as const;
export type Pickup = (typeof pickups)[number];

/** Result of the last proof. */
export const proofSummarySchema = z.object({ ok: z.boolean(), at: z.number(), tools: z.number().optional() });

/** A client in the window's list. */
export const connectClientSchema = z.object({
  id: connectIdSchema,
  title: z.string(),
  kind: z.enum(['app', 'editor', 'command', 'other']),
  status: z.enum(connectStatuses),
  /**
   * The client's files that exist, were chosen, or would be created; empty for `manual` and usually for
   * `not-found`.
   */
  files: z.array(connectFileSchema).readonly(),
  /** True if the user can choose its file ("It's here"). */
  canLocate: z.boolean(),
  /** Time of the connection, or of noticing the wipe or change. */
  since: z.number().optional(),
  /** Number of times our entry was found gone since it was first connected. */
  wipes: z.number(),
  /** Explains `wiped` or `changed`, with what to do. */
  problem: problemSchema.optional(),
  proof: proofSummarySchema.optional(),
  pickup: z.enum(pickups),
  /** Instruction to pick up the change: "Quit Claude Desktop completely, its tray icon too, and start it again." */
  pickupText: z.string(),
  /** True if it can use the `.mcpb` bundle instead, which rewriting its config file does not affect. */
  bundle: z.boolean(),
  /** True if the bundle is now the better choice, because the client keeps wiping our entry. */
  suggestBundle: z.boolean(),
  canUndo: z.boolean(),
  /** Values of `clientInfo.name` that it sends; used to find its live sessions (`ClientView.name`). */
  clientNames: z.array(z.string()).readonly(),
  /** The client's limits on names and tools, from `catalogue/client-facts`. */
  limits: z.object({
    nameLength: z.number(),
    tools: z.number().optional(),
    /** False if it ignores list changes: it must be restarted to see new tools. */
    hearsChanges: z.boolean(),
  }),
});
export type ConnectClient = Readonly<z.infer<typeof connectClientSchema>>;

/** A line of a diff. Other servers' values in `context` and `remove` lines are masked. */
export const hunkLineSchema = z.object({ kind: z.enum(['context', 'add', 'remove']), text: z.string() });
export const hunkSchema = z.object({
  /** One-based line of the current file at which `lines` begins. */
  line: z.number(),
  lines: z.array(hunkLineSchema).readonly(),
});
export type Hunk = Readonly<z.infer<typeof hunkSchema>>;

/** Planned change to one file. */
export const filePreviewSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['create', 'change']), file: z.string(), hunks: z.array(hunkSchema).readonly() }),
  /** Our entry is already there, exactly as it would be written. */
  z.object({ kind: z.literal('unchanged'), file: z.string() }),
  /** Not written: not readable in its format, a link, a folder, read-only, too large… */
  z.object({ kind: z.literal('refused'), file: z.string(), problem: problemSchema }),
]);
export type FilePreview = Readonly<z.infer<typeof filePreviewSchema>>;

/** A running process of the client. */
export const runningClientSchema = z.object({ pid: z.number(), name: z.string() });

/** The exact diff that `connect.apply` writes. */
export const connectPreviewSchema = z.object({
  id: connectIdSchema,
  /** Identifies this preview for `connect.apply`, which writes exactly this or rejects. */
  previewId: z.string(),
  /** The key of our entry: `patchbay`, unless something else has that name. */
  entryKey: z.string(),
  /** Our entry as it will be in the file; contains no secret. */
  entryText: z.string(),
  language: z.enum(['json', 'toml', 'yaml']),
  files: z.array(filePreviewSchema).readonly(),
  running: z.array(runningClientSchema).readonly(),
  /**
   * True if the client is running and would overwrite the edit: it must quit first (`connect.quitClient`).
   */
  mustQuit: z.boolean(),
});
export type ConnectPreview = Readonly<z.infer<typeof connectPreviewSchema>>;

/** Result for each file. */
export const appliedFileSchema = z.discriminatedUnion('kind', [
  /** `backup` is a copy of the previous file; absent for a new file. */
  z.object({
    kind: z.literal('written'),
    file: z.string(),
    /** Id of the write in the journal. */
    write: z.string(),
    backup: z.string().optional(),
  }),
  z.object({ kind: z.literal('unchanged'), file: z.string() }),
  z.object({ kind: z.literal('refused'), file: z.string(), problem: problemSchema }),
]);
export type AppliedFile = Readonly<z.infer<typeof appliedFileSchema>>;

/** One step of a proof, in order; after a failed step only `end` follows. */
export const proofStepSchema = z.object({
  step: z.enum(['read', 'start', 'handshake', 'list', 'names', 'call', 'end']),
  ok: z.boolean(),
  /** Result of the step, as a sentence. */
  text: z.string(),
  milliseconds: z.number(),
});

/** A message on the wire: redacted, long messages cut. */
export const transcriptLineSchema = z.object({
  direction: z.enum(['sent', 'got', 'stderr']),
  /** Milliseconds since the start. */
  at: z.number(),
  text: z.string(),
});

/**
 * Proof of a connection: starts our entry as the client would, then runs the handshake, the lists and one
 * harmless call.
 */
export const connectProofSchema = z.object({
  ok: z.boolean(),
  at: z.number(),
  milliseconds: z.number(),
  file: z.string(),
  /** The command line as written in the file. */
  command: z.string(),
  steps: z.array(proofStepSchema).readonly(),
  transcript: z.array(transcriptLineSchema).readonly(),
  /** Number of listed tools. */
  tools: z.number().optional(),
  /** The called tool, or `ping` if no tool is safe to call. */
  called: z.string().optional(),
  /** Reason of the failure; the entry stays until `connect.undo` removes it. */
  problem: problemSchema.optional(),
});
export type ConnectProof = Readonly<z.infer<typeof connectProofSchema>>;

/** Undo result for one file. */
export const undoneFileSchema = z.discriminatedUnion('kind', [
  /** The file was as we left it and is now byte for byte as before. */
  z.object({ kind: z.literal('restored'), file: z.string() }),
  /** We had created the file and it contained nothing else. */
  z.object({ kind: z.literal('deleted'), file: z.string() }),
  /** The file has changed since, so only our entry was removed. */
  z.object({ kind: z.literal('entry-removed'), file: z.string() }),
  /** Our entry was no longer in the file. */
  z.object({ kind: z.literal('nothing'), file: z.string() }),
  z.object({ kind: z.literal('refused'), file: z.string(), problem: problemSchema }),
]);
export type UndoneFile = Readonly<z.infer<typeof undoneFileSchema>>;

/** Text to paste into a client by hand. */
export const connectSnippetSchema = z.object({
  /** For `http` the token is masked; the main process copies the real one directly to the clipboard. */
  text: z.string(),
  language: z.enum(['json', 'toml', 'yaml']),
});
export type ConnectSnippet = Readonly<z.infer<typeof connectSnippetSchema>>;

/** A line of `clients.journal`: writes to other programs' files, and changes noticed in them. */
export const journalRecordSchema = z.object({
  at: z.number(),
  id: connectIdSchema,
  title: z.string(),
  file: z.string(),
  action: z.enum([
    'connect',
    'undo',
    'wiped',
    'changed',
    'found-again',
    'forgotten',
    /** Entries of other servers that were moved to Patchbay, and put back. */
    'taken-out',
    'put-back',
  ]),
  /** False for a write that was started but may not have completed. */
  done: z.boolean(),
  /** SHA-256 of the file before and after; absent if there was no file. */
  before: z.string().optional(),
  after: z.string().optional(),
  backup: z.string().optional(),
});
export type JournalRecord = Readonly<z.infer<typeof journalRecordSchema>>;
