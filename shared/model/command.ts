import { z } from 'zod';

/** A file that a command could mean. */
const candidateSchema = z.object({
  file: z.string(),
  /** What the file is in truth, where it is a link. */
  realFile: z.string().optional(),
  /** As it says of itself; absent where it does not, or not in time. */
  version: z.string().optional(),
  /** The version manager whose shim or folder it is: nvm, fnm, volta, asdf, mise, uv, Homebrew… */
  manager: z.string().optional(),
  chosen: z.boolean(),
  /** Why it runs, or why it lost, as a sentence. */
  reason: z.string(),
});

/** Which program a stdio server's command runs, and how that was found out. */
export const commandExplanationSchema = z.object({
  /** As it stands in the config. */
  command: z.string(),
  /** Whether `command` names a file rather than something to look up. */
  pinned: z.boolean(),
  candidates: z.array(candidateSchema).readonly(),
  /** Folders in the order they were searched. */
  searched: z
    .array(
      z.object({
        folder: z.string(),
        exists: z.boolean(),
        source: z.enum(['login-shell', 'inherited', 'registry', 'well-known', 'entry']),
      }),
    )
    .readonly(),
  environment: z.object({
    source: z.enum(['login-shell', 'inherited', 'registry']),
    /** The shell that was asked. */
    shell: z.string().optional(),
    readAt: z.number(),
  }),
});
export type CommandExplanation = Readonly<z.infer<typeof commandExplanationSchema>>;
