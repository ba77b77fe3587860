import { z } from 'zod';
import type { AuditNote } from '../model/activity/audit.ts';
import { entryIssueSchema } from '../model/import/import.ts';
import { commandExplanationSchema } from '../model/server/command.ts';
import { healthSampleSchema } from '../model/server/health.ts';
import { enteredValueSchema, signInClientSchema, valuePlaceSchema } from '../model/server/missing-value.ts';
import { logLineSchema } from '../model/server/server.ts';
import { type ServerChange, serverChangeSchema } from '../model/server/server-change.ts';
import { entryTrialSchema } from '../model/server/server-update.ts';
import { hubNote, operation, serverNote, toolNote } from './operation.ts';
import { entry, key, nothing, undoId } from './parts.ts';

export const serverOperations = {
  'server.setEnabled': operation({
    input: key.extend({ enabled: z.boolean() }),
    output: nothing,
    doors: ['window', 'cli', 'rest'],
    audit: ({ key, enabled }) => [serverNote(enabled ? 'enable' : 'disable', key)],
  }),
  /**
   * Makes several changes in one write of the config, or none; `undoId` reverts all of them while the hub
   * runs.
   */
  'server.change': operation({
    input: z.object({ changes: z.array(serverChangeSchema).min(1) }),
    output: undoId,
    doors: ['window'],
    audit: ({ changes }) => changes.flatMap(noteChange),
  }),
  'server.undoChange': operation({
    input: undoId,
    output: nothing,
    doors: ['window'],
    audit: () => [{ kind: 'server', action: 'restore', text: 'Several changes were undone.' }],
  }),
  /** Restarts the process, or starts it if it does not run; also used for "Try now" of a failed server. */
  'server.restart': operation({
    input: key,
    output: nothing,
    doors: ['window', 'cli', 'rest'],
    audit: ({ key }) => [serverNote('restart', key)],
  }),
  /** Ends the process but keeps its tools listed; the next call starts it. */
  'server.sleep': operation({
    input: key,
    output: nothing,
    doors: ['window'],
    audit: ({ key }) => [serverNote('sleep', key)],
  }),
  /** Checks the health of a running server now; the view's `health` shows the outcome. */
  'server.checkHealth': operation({ input: key, output: nothing, doors: ['window'] }),
  /** Returns the short history of its health, oldest first. */
  'server.health': operation({
    input: key,
    output: z.object({ samples: z.array(healthSampleSchema).readonly() }),
    doors: ['rest'],
  }),
  /**
   * Finds the file that a stdio server's command runs and the other candidates; asks the programs for their
   * versions.
   */
  'server.explainCommand': operation({ input: key, output: commandExplanationSchema, doors: ['window'] }),
  /** Writes another `command` into the entry: a file to pin it, or a plain name to look it up again. */
  'server.setCommand': operation({
    input: key.extend({ command: z.string().min(1) }),
    output: nothing,
    doors: ['window'],
    audit: ({ key }) => [serverNote('edit', key, 'The command was chosen.')],
  }),
  /** Starts an edited entry beside the running server, lists its tools, and ends it again. */
  'server.tryEntry': operation({
    input: key.extend({ text: z.string().max(4_000_000) }),
    output: entryTrialSchema,
    doors: ['window'],
  }),
  /** Ends the old process after a failed update and starts the new config anyway. */
  'server.forceUpdate': operation({
    input: key,
    output: nothing,
    doors: ['window'],
    audit: ({ key }) => [serverNote('force-update', key)],
  }),
  /** Marks the failed update as read. */
  'server.dismissUpdate': operation({ input: key, output: nothing, doors: ['window'] }),
  /**
   * Reads the login shell's environment again; returns the names of changed variables. Servers get them at
   * their next start.
   */
  'environment.reload': operation({
    input: nothing,
    output: z.object({ changed: z.array(z.string()).readonly() }),
    doors: ['window'],
  }),
  /**
   * Begins a sign-in to a remote server; returns the address to open in a browser. The server restarts when the person comes
   * back; the view's `auth` shows the progress. A second call replaces the first. Rejects with `server.sign_in_failed`.
   */
  'server.signIn': operation({
    input: key,
    output: z.object({ url: z.string() }),
    doors: ['cli'],
    audit: ({ key }) => [serverNote('sign-in', key)],
  }),
  /**
   * Returns the address of the sign-in in progress; rejects with `server.sign_in_failed` if there is none.
   */
  'server.signInLink': operation({ input: key, output: z.object({ url: z.string() }), doors: [] }),
  /** Records that no browser could be opened for the sign-in in progress, so that the view can say so. */
  'server.signInUnopened': operation({ input: key, output: nothing, doors: [] }),
  /** Deletes the sign-in and restarts the server without it. */
  'server.signOut': operation({
    input: key,
    output: nothing,
    doors: ['window', 'cli'],
    audit: ({ key }) => [serverNote('sign-out', key)],
  }),
  /**
   * Stores a value as a secret, adds a reference to it if the entry has none, and starts the server with it.
   * `undoId` restores entry and secret while the hub runs.
   */
  'server.enterValue': operation({
    input: key.extend({ place: valuePlaceSchema, value: enteredValueSchema }),
    output: undoId.extend({ secret: z.string() }),
    doors: ['window', 'cli'],
    audit: ({ key }) => [serverNote('edit', key, 'A value was entered, and stored as a secret.')],
  }),
  /** Writes the client that a person registered into the entry's sign-in. */
  'server.setSignInClient': operation({
    input: key.extend({ client: signInClientSchema }),
    output: undoId,
    doors: ['window', 'cli'],
    audit: ({ key }) => [serverNote('edit', key, 'The sign-in client was entered.')],
  }),
  'server.undoEntered': operation({
    input: undoId,
    output: nothing,
    doors: ['window'],
    audit: () => [{ kind: 'server', action: 'restore' }],
  }),
  'server.add': operation({
    input: z.object({ servers: z.array(z.object({ key: z.string(), entry })) }),
    output: nothing,
    doors: ['window', 'rest'],
    audit: ({ servers }) => servers.map(({ key }) => serverNote('add', key)),
  }),
  /** Replaces an entry, changing only what differs in the file; `newKey` renames it in place. */
  'server.update': operation({
    input: key.extend({ newKey: z.string().optional(), entry }),
    output: nothing,
    doors: ['window', 'rest'],
    audit: ({ key, newKey = key }) => [renamed(key, newKey)],
  }),
  /** Returns the key of the copy, which is added right after the original and switched off. */
  'server.duplicate': operation({
    input: key,
    output: key,
    doors: ['window'],
    audit: ({ key }) => [serverNote('duplicate', key)],
  }),
  /** Removes an entry; `undoId` restores the exact text in its old place while the hub runs. */
  'server.remove': operation({
    input: key,
    output: undoId,
    doors: ['window', 'cli', 'rest'],
    audit: ({ key }) => [serverNote('delete', key)],
  }),
  'server.undoRemove': operation({
    input: undoId,
    output: nothing,
    doors: ['window', 'cli'],
    audit: () => [{ kind: 'server', action: 'restore' }],
  }),
  /** Returns the entry as it is in the file: its JSON text with comments, and its parsed value. */
  'server.entry': operation({
    input: key,
    output: z.object({ text: z.string(), entry }),
    doors: ['window', 'rest'],
  }),
  /**
   * Saves the entry's JSON text as typed, comments included. `base` is the text before the edit: changes made
   * in the file since then are merged, field by field. If both sides changed a field, it rejects with
   * `config.changed_meanwhile` and lists the fields in its evidence; `resolve` then decides them, as long as
   * the file still has the value in `seen`. Without `base` the entry is added. Returns the text as it is now
   * in the file.
   */
  'server.saveText': operation({
    input: key.extend({
      text: z.string(),
      base: z.string().optional(),
      newKey: z.string().optional(),
      resolve: z.object({ keep: z.enum(['mine', 'theirs']), seen: z.string() }).optional(),
    }),
    output: z.object({ text: z.string() }),
    doors: ['window'],
    audit: ({ key, newKey = key, base }) => [
      base === undefined ? serverNote('add', key) : renamed(key, newKey),
    ],
  }),
  /** Validates an entry being edited; `text` is JSONC. Nothing is written. */
  'server.validate': operation({
    input: z.object({ key: z.string(), originalKey: z.string().optional(), text: z.string() }),
    output: z.object({ issues: z.array(entryIssueSchema).readonly(), entry: entry.optional() }),
    doors: ['window'],
  }),
  /** Returns the lines of the log in memory. */
  'server.log': operation({
    input: key,
    output: z.object({ lines: z.array(logLineSchema).readonly() }),
    doors: ['cli'],
  }),
  'server.clearLog': operation({ input: key, output: nothing, doors: ['window'] }),
  /** Replaces a broken config with the last good one and keeps a copy of it; `undoId` reverts this. */
  'config.restore': operation({
    input: nothing,
    output: undoId,
    doors: ['window'],
    audit: () => [hubNote('restore', 'The last good config was restored.')],
  }),
  'config.undoRestore': operation({
    input: undoId,
    output: nothing,
    doors: ['window'],
    audit: () => [hubNote('restore', 'Restoring the config was undone.')],
  }),
};

function noteChange(change: ServerChange): readonly AuditNote[] {
  const { key } = change;
  switch (change.kind) {
    case 'remove':
      return [serverNote('delete', key)];
    case 'tags':
      return [serverNote('edit', key, 'The tags were changed.')];
    case 'favorite':
      return [serverNote('edit', key, change.favorite ? 'Added to favorites.' : 'Removed from favorites.')];
    case 'switch':
      return [serverNote(change.enabled ? 'enable' : 'disable', key)];
    case 'tools':
      return change.names.map((tool) => toolNote(change.enabled ? 'enable-tool' : 'disable-tool', key, tool));
  }
}

function renamed(key: string, newKey: string): AuditNote {
  return newKey === key ? serverNote('edit', key) : serverNote('rename', key, `Renamed to ${newKey}.`);
}
