import { z } from 'zod';
import { commandExplanationSchema } from '../model/command.ts';
import { healthSampleSchema } from '../model/health.ts';
import { entryIssueSchema } from '../model/import.ts';
import { enteredValueSchema, signInClientSchema, valuePlaceSchema } from '../model/missing-value.ts';
import { logLineSchema } from '../model/server.ts';
import { serverChangeSchema } from '../model/server-change.ts';
import { entryTrialSchema } from '../model/server-update.ts';
import { entry, type IpcRows, key, nothing } from './parts.ts';

/** Calls about servers, one row each; see `contract.ts`. */
export const serverCalls = {
  'server.setEnabled': { input: key.extend({ enabled: z.boolean() }), output: nothing },
  /**
   * Makes several changes in one write of the config, or none; `undoId` undoes all of them while the hub
   * runs.
   */
  'server.change': {
    input: z.object({ changes: z.array(serverChangeSchema).min(1) }),
    output: z.object({ undoId: z.string() }),
  },
  'server.undoChange': { input: z.object({ undoId: z.string() }), output: nothing },
  /** Stops the running process, if any, and starts it again; also "Try now" for a failed server. */
  'server.restart': { input: key, output: nothing },
  /** Stops the process but keeps its tools listed; the next call starts it. */
  'server.sleep': { input: key, output: nothing },
  /** Checks the health of a running server now; the view's `health` shows the result. */
  'server.checkHealth': { input: key, output: nothing },
  /** Returns the recent health history; then sends `server.health` events until `server.unwatchHealth`. */
  'server.watchHealth': {
    input: key,
    output: z.object({ samples: z.array(healthSampleSchema).readonly() }),
  },
  'server.unwatchHealth': { input: key, output: nothing },
  /**
   * Returns the file that a stdio server's command resolves to and the alternatives. Runs the programs to get
   * their versions.
   */
  'server.explainCommand': { input: key, output: commandExplanationSchema },
  /** Writes a different `command` into the entry: a path to pin it, a plain name to look it up again. */
  'server.setCommand': { input: key.extend({ command: z.string().min(1) }), output: nothing },
  /** Starts an edited entry beside the running server, lists what it offers, and stops it again. */
  'server.tryEntry': { input: key.extend({ text: z.string().max(4_000_000) }), output: entryTrialSchema },
  /** After a failed `update`: stops the old process and starts the new config anyway. */
  'server.forceUpdate': { input: key, output: nothing },
  /** Dismisses the notice about an `update`. */
  'server.dismissUpdate': { input: key, output: nothing },
  /**
   * Reloads the login shell's environment and returns the names of changed variables. Servers use it from
   * their next start.
   */
  'environment.reload': { input: nothing, output: z.object({ changed: z.array(z.string()).readonly() }) },
  /** Opens the browser to sign in to a remote server; the view's `auth` shows the progress. */
  'server.signIn': { input: key, output: nothing },
  /** Copies the address of the current sign-in to the clipboard, for use in another browser. */
  'server.copySignInLink': { input: key, output: nothing },
  'server.signOut': { input: key, output: nothing },
  /**
   * Stores a value as a secret, refers to it where the entry lacks it, and starts the server with it.
   * `undoId` restores the entry and the secret while the hub runs.
   */
  'server.enterValue': {
    input: key.extend({ place: valuePlaceSchema, value: enteredValueSchema }),
    output: z.object({ undoId: z.string(), secret: z.string() }),
  },
  /** Writes the client id that the user registered into the entry's sign-in settings. */
  'server.setSignInClient': {
    input: key.extend({ client: signInClientSchema }),
    output: z.object({ undoId: z.string() }),
  },
  'server.undoEntered': { input: z.object({ undoId: z.string() }), output: nothing },
  'server.add': {
    input: z.object({ servers: z.array(z.object({ key: z.string(), entry })) }),
    output: nothing,
  },
  /** Replaces an entry, changing only what differs in the file; `newKey` renames it in place. */
  'server.update': { input: key.extend({ newKey: z.string().optional(), entry }), output: nothing },
  /** Returns the key of the copy, which is added right after the original, disabled. */
  'server.duplicate': { input: key, output: key },
  /** Removes an entry; `undoId` puts the exact text back in its old place while the hub runs. */
  'server.remove': { input: key, output: z.object({ undoId: z.string() }) },
  'server.undoRemove': { input: z.object({ undoId: z.string() }), output: nothing },
  /** The entry as it stands in the file: its JSON text with comments, and its parsed value. */
  'server.entry': { input: key, output: z.object({ text: z.string(), entry }) },
  /**
   * Saves the entry's JSON text as typed, comments included. `base` is the text at the start of the edit:
   * changes made to the file since then are merged field by field. If both sides changed a field, the call
   * fails with `config.changed_meanwhile`, with the fields as evidence labels; `resolve` then decides them,
   * provided that the file still matches `seen`. Without `base` the entry is added. Returns the text as it is
   * in the file now.
   */
  'server.saveText': {
    input: key.extend({
      text: z.string(),
      base: z.string().optional(),
      newKey: z.string().optional(),
      resolve: z.object({ keep: z.enum(['mine', 'theirs']), seen: z.string() }).optional(),
    }),
    output: z.object({ text: z.string() }),
  },
  /** Returns the issues of an entry being edited; `text` is JSONC. Writes nothing. */
  'server.validate': {
    input: z.object({ key: z.string(), originalKey: z.string().optional(), text: z.string() }),
    output: z.object({ issues: z.array(entryIssueSchema).readonly(), entry: entry.optional() }),
  },
  /** Returns the log in memory; then sends `server.log` events until `server.unwatchLog`. */
  'server.watchLog': { input: key, output: z.object({ lines: z.array(logLineSchema).readonly() }) },
  'server.unwatchLog': { input: key, output: nothing },
  'server.clearLog': { input: key, output: nothing },
  /** Turns the memory sampler on or off; it costs nothing when off. */
  'process.watch': { input: z.object({ on: z.boolean() }), output: nothing },
} as const satisfies IpcRows;
