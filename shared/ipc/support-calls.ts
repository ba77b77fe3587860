import { z } from 'zod';
import { nothing } from '../operations/parts.ts';

/** Calls about the program itself and how to help with it, one row each; see `contract.ts`. */
export const supportCalls = {
  /** What runs: names of programs and systems to their versions. */
  'about.versions': { input: nothing, output: z.object({ versions: z.record(z.string(), z.string()) }) },
  /** Licences of everything that is built in. */
  'about.licences': { input: nothing, output: z.object({ text: z.string() }) },
  /** Puts a support bundle together, secrets masked, and writes it nowhere. */
  'support.make': { input: nothing, output: z.object({ id: z.string(), text: z.string() }) },
  /** Saves that bundle, as it was shown, where the person says. */
  'support.save': { input: z.object({ id: z.string() }), output: z.object({ file: z.string().optional() }) },
};
