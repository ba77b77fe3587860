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
  /** Makes several changes in one write of the config, or none; `undoId` takes all of them back while the hub runs. */
  'server.change': {
    input: z.object({ changes: z.array(serverChangeSchema).min(1) }),
    output: z.object({ undoId: z.string() }),
  },
  'server.undoChange': { input: z.object({ undoId: z.string() }), output: nothing },
  /** Ends the running process, if any, and starts afresh; also the "try now" of a failed server. */
  'server.restart': { input: key, output: nothing },
  /** Ends the process and keeps its tools listed; the next call starts it. */
  'server.sleep': { input: key, output: nothing },
  /** Checks the health of a running server now; the view's `health` tells the outcome. */
  'server.checkHealth': { input: key, output: nothing },
  /** The short history of its health; from then on `server.health` events follow until `server.unwatchHealth`. */
  'server.watchHealth': {
    input: key,
    output: z.object({ samples: z.array(healthSampleSchema).readonly() }),
  },
  'server.unwatchHealth': { input: key, output: nothing },
  /** Which file a stdio server's command runs and which others it could mean. Asks the programs for their versions. */
  'server.explainCommand': { input: key, output: commandExplanationSchema },
  /** Writes another `command` into the entry: a file to pin it, a plain name to have it looked up again. */
  'server.setCommand': { input: key.extend({ command: z.string().min(1) }), output: nothing },
  /** Starts an entry under edit beside the running server, lists what it offers, and ends it again. */
  'server.tryEntry': { input: key.extend({ text: z.string().max(4_000_000) }), output: entryTrialSchema },
  /** After an `update` that failed: ends the old process and starts the new config all the same. */
  'server.forceUpdate': { input: key, output: nothing },
  /** The `update` has been read. */
  'server.dismissUpdate': { input: key, output: nothing },
  /** Reads the login shell's environment anew; names of variables that are other now. Servers use it from their next start. */
  'environment.reload': { input: nothing, output: z.object({ changed: z.array(z.string()).readonly() }) },
  /** Opens the browser for a sign-in to a remote server; the view's `auth` tells how it goes. */
  'server.signIn': { input: key, output: nothing },
  /** Puts the address of the sign-in under way into the clipboard, for another browser. */
  'server.copySignInLink': { input: key, output: nothing },
  'server.signOut': { input: key, output: nothing },
  /**
   * Stores a value as a secret, refers to it where the entry lacks it, and starts the server with it. `undoId` puts entry and
   * secret back while the hub runs.
   */
  'server.enterValue': {
    input: key.extend({ place: valuePlaceSchema, value: enteredValueSchema }),
    output: z.object({ undoId: z.string(), secret: z.string() }),
  },
  /** Writes the client that a person registered into the entry's sign-in. */
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
  /** Returns the key of the copy, which is added right after the original and switched off. */
  'server.duplicate': { input: key, output: key },
  /** Removes an entry; `undoId` puts the exact text back in its old place while the hub runs. */
  'server.remove': { input: key, output: z.object({ undoId: z.string() }) },
  'server.undoRemove': { input: z.object({ undoId: z.string() }), output: nothing },
  /** The entry as it stands in the file: its JSON text with comments, and its parsed value. */
  'server.entry': { input: key, output: z.object({ text: z.string(), entry }) },
  /**
   * Saves the entry's JSON text as typed, comments included. `base` is the text the editing began with: what changed in
   * the file since then is kept, field by field. Where both sides changed a field the answer is the problem
   * `config.changed_meanwhile`, its evidence labelled with the fields; `resolve` then decides them, as far as the file
   * still says what was `seen`. Without `base` the entry is added. Returns the text as it stands in the file now.
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
  /** What is wrong with an entry under edit; `text` is JSONC. Nothing is written. */
  'server.validate': {
    input: z.object({ key: z.string(), originalKey: z.string().optional(), text: z.string() }),
    output: z.object({ issues: z.array(entryIssueSchema).readonly(), entry: entry.optional() }),
  },
  /** The log kept in memory; from then on `server.log` events follow until `server.unwatchLog`. */
  'server.watchLog': { input: key, output: z.object({ lines: z.array(logLineSchema).readonly() }) },
  'server.unwatchLog': { input: key, output: nothing },
  'server.clearLog': { input: key, output: nothing },
  /** Turns the memory sampler on or off; it costs nothing while off. */
  'process.watch': { input: z.object({ on: z.boolean() }), output: nothing },
} as const satisfies IpcRows;
