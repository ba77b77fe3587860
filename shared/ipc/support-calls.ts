import { z } from 'zod';
import { nothing } from '../operations/parts.ts';

/** Calls about the app and support, one row each; see `contract.ts`. */
export const supportCalls = {
  /** Returns the versions of the app, its programs and the system, by name. */
  'about.versions': { input: nothing, output: z.object({ versions: z.record(z.string(), z.string()) }) },
  /** Returns the licences of all bundled software. */
  'about.licences': { input: nothing, output: z.object({ text: z.string() }) },
  /** Creates a support bundle with secrets masked; writes no file. */
  'support.make': { input: nothing, output: z.object({ id: z.string(), text: z.string() }) },
  /** Opens a save dialog and saves the bundle exactly as it was shown. */
  'support.save': { input: z.object({ id: z.string() }), output: z.object({ file: z.string().optional() }) },
};
