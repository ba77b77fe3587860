import { z } from 'zod';
import { problemSchema } from '../error/problem-schema.ts';

/** A program that can be connected: one row of `electron/engine/clients/table`, by its id there (`claude-desktop`). */
export const connectIdSchema = z.string().max(64);

/**
 * How a client stands, as far as it is known without reading its files unasked:
 *
 * - `not-found`: neither its config file nor its folder is on this machine.
 * - `found`: it is there, we have not written to it.
 * - `connected`: we wrote our entry, and it was there when last looked at.
 * - `wiped`: our entry is gone from a file that we wrote it to.
 * - `changed`: our entry is there, but not as we wrote it, or its file cannot be read any more (`problem` says which).
 * - `manual`: it has no file that could be written; it is connected by hand with a snippet.
 */
export const connectStatuses = ['not-found', 'found', 'connected', 'wiped', 'changed', 'manual'] as const;
export type ConnectStatus = (typeof connectStatuses)[number];

/** One file of a client's config; Claude Desktop on Windows can have two. */
export const connectFileSchema = z.object({
  file: z.string(),
  exists: z.boolean(),
  /** The person pointed at it ("It's here"). */
  chosen: z.boolean(),
  status: z.enum(['found', 'connected', 'wiped', 'changed']),
});
export type ConnectFile = Readonly<z.infer<typeof connectFileSchema>>;

/** What the client does to notice a change of its file, so that people can be told what is left to do. */
export const pickups = ['quit-and-restart', 'restart', 'reload', 'by-itself'] as const;
export type Pickup = (typeof pickups)[number];

/** How the last proof ended. */
export const proofSummarySchema = z.object({ ok: z.boolean(), at: z.number(), tools: z.number().optional() });

/** A client as the window lists it. */
export const connectClientSchema = z.object({
  id: connectIdSchema,
  title: z.string(),
  kind: z.enum(['app', 'editor', 'command', 'other']),
  status: z.enum(connectStatuses),
  /** Its files that are there, were chosen, or would be made; empty for `manual` and mostly for `not-found`. */
  files: z.array(connectFileSchema).readonly(),
  /** Whether it can be pointed at a file of its own ("It's here"). */
  canLocate: z.boolean(),
  /** When it was connected, or when the wipe or change was noticed. */
  since: z.number().optional(),
  /** How often our entry was found gone since it was first connected. */
  wipes: z.number(),
  /** Why `wiped` or `changed`, with what to do. */
  problem: problemSchema.optional(),
  proof: proofSummarySchema.optional(),
  pickup: z.enum(pickups),
  /** The same as an instruction: "Quit Claude Desktop completely, its tray icon too, and start it again." */
  pickupText: z.string(),
  /** True when it can be given the `.mcpb` bundle instead, which no rewriting of its config file touches. */
  bundle: z.boolean(),
  /** True when that is the better way now, because it keeps wiping our entry. */
  suggestBundle: z.boolean(),
  canUndo: z.boolean(),
  /** Values of `clientInfo.name` it introduces itself by: live sessions (`ClientView.name`) of it are found by these. */
  clientNames: z.array(z.string()).readonly(),
  /** What it takes of names and tools, from the catalogue's client table. */
  limits: z.object({
    nameLength: z.number(),
    tools: z.number().optional(),
    /** False where the first list is kept whatever is announced: it must be restarted to see new tools. */
    hearsChanges: z.boolean(),
  }),
});
export type ConnectClient = Readonly<z.infer<typeof connectClientSchema>>;

/** A line of a difference. Values of others in `context` and `remove` lines are masked. */
export const hunkLineSchema = z.object({ kind: z.enum(['context', 'add', 'remove']), text: z.string() });
export const hunkSchema = z.object({
  /** One-based line of the file as it is now at which `lines` begins. */
  line: z.number(),
  lines: z.array(hunkLineSchema).readonly(),
});
export type Hunk = Readonly<z.infer<typeof hunkSchema>>;

/** What would happen to one file. */
export const filePreviewSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['create', 'change']), file: z.string(), hunks: z.array(hunkSchema).readonly() }),
  /** Our entry is there already, exactly as it would be written. */
  z.object({ kind: z.literal('unchanged'), file: z.string() }),
  /** Left untouched: not readable as its format, a link, a folder, read-only, too large… */
  z.object({ kind: z.literal('refused'), file: z.string(), problem: problemSchema }),
]);
export type FilePreview = Readonly<z.infer<typeof filePreviewSchema>>;

/** A process of the client that runs now. */
export const runningClientSchema = z.object({ pid: z.number(), name: z.string() });

/** The exact difference that `connect.apply` makes. */
export const connectPreviewSchema = z.object({
  id: connectIdSchema,
  /** Names this preview to `connect.apply`, which does this and nothing else, or refuses. */
  previewId: z.string(),
  /** The key of our entry: `patchbay`, unless something else has that name. */
  entryKey: z.string(),
  /** Our entry as it will stand in the file; holds no secret. */
  entryText: z.string(),
  language: z.enum(['json', 'toml', 'yaml']),
  files: z.array(filePreviewSchema).readonly(),
  running: z.array(runningClientSchema).readonly(),
  /** True when the client runs and would overwrite the edit: it has to be quit first (`connect.quitClient`). */
  mustQuit: z.boolean(),
});
export type ConnectPreview = Readonly<z.infer<typeof connectPreviewSchema>>;

/** What became of each file. */
export const appliedFileSchema = z.discriminatedUnion('kind', [
  /** `backup` is a copy of the file as it was; absent for a file that was made. */
  z.object({
    kind: z.literal('written'),
    file: z.string(),
    /** Names the write in the journal. */
    write: z.string(),
    backup: z.string().optional(),
  }),
  z.object({ kind: z.literal('unchanged'), file: z.string() }),
  z.object({ kind: z.literal('refused'), file: z.string(), problem: problemSchema }),
]);
export type AppliedFile = Readonly<z.infer<typeof appliedFileSchema>>;

/** One step of a proof, in the order they are taken; a failed one is the last but `end`. */
export const proofStepSchema = z.object({
  step: z.enum(['read', 'start', 'handshake', 'list', 'names', 'call', 'end']),
  ok: z.boolean(),
  /** What was found, as a sentence. */
  text: z.string(),
  milliseconds: z.number(),
});

/** What went over the wire: redacted, long messages cut. */
export const transcriptLineSchema = z.object({
  direction: z.enum(['sent', 'got', 'stderr']),
  /** Milliseconds since the start. */
  at: z.number(),
  text: z.string(),
});

/** Our entry, started as the client would start it, with a handshake, the lists and one harmless call. */
export const connectProofSchema = z.object({
  ok: z.boolean(),
  at: z.number(),
  milliseconds: z.number(),
  file: z.string(),
  /** The command line as it stands in the file. */
  command: z.string(),
  steps: z.array(proofStepSchema).readonly(),
  transcript: z.array(transcriptLineSchema).readonly(),
  /** Tools that were listed. */
  tools: z.number().optional(),
  /** The tool that was called, or `ping` where none can be called without harm. */
  called: z.string().optional(),
  /** Why it failed; the entry stays, and `connect.undo` takes it back. */
  problem: problemSchema.optional(),
});
export type ConnectProof = Readonly<z.infer<typeof connectProofSchema>>;

/** How one file was undone. */
export const undoneFileSchema = z.discriminatedUnion('kind', [
  /** It was as we left it: every byte is as before. */
  z.object({ kind: z.literal('restored'), file: z.string() }),
  /** We had made it and it held nothing else. */
  z.object({ kind: z.literal('deleted'), file: z.string() }),
  /** It has changed since: only our entry was taken out. */
  z.object({ kind: z.literal('entry-removed'), file: z.string() }),
  /** Our entry was not in it any more. */
  z.object({ kind: z.literal('nothing'), file: z.string() }),
  z.object({ kind: z.literal('refused'), file: z.string(), problem: problemSchema }),
]);
export type UndoneFile = Readonly<z.infer<typeof undoneFileSchema>>;

/** What to put into a client by hand. */
export const connectSnippetSchema = z.object({
  /** For `http` the token is masked; the real one only ever goes to the clipboard, from the main process. */
  text: z.string(),
  language: z.enum(['json', 'toml', 'yaml']),
});
export type ConnectSnippet = Readonly<z.infer<typeof connectSnippetSchema>>;

/** A line of `clients.journal`: every write to another program's file, and what was noticed about it. */
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
    /** Entries of others that were imported, and that were given back. */
    'taken-out',
    'put-back',
  ]),
  /** False for a write that was begun and of which it is not known whether it came to pass. */
  done: z.boolean(),
  /** SHA-256 of the file before and after; absent where there was none. */
  before: z.string().optional(),
  after: z.string().optional(),
  backup: z.string().optional(),
});
export type JournalRecord = Readonly<z.infer<typeof journalRecordSchema>>;
