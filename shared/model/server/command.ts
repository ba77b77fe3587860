import { z } from 'zod';

/** A file that a command could resolve to. */
const candidateSchema = z.object({
  file: z.string(),
  /** Target of the file if it is a link. */
  realFile: z.string().optional(),
  /** Version that the program reports; absent if it reports none in time. */
  version: z.string().optional(),
  /** Version manager that owns the shim or folder: nvm, fnm, volta, asdf, mise, uv, Homebrew… */
  manager: z.string().optional(),
  chosen: z.boolean(),
  /** Says in a sentence why this file was or was not chosen. */
  reason: z.string(),
});

/** Explains how a stdio server's command resolves to a program. */
export const commandExplanationSchema = z.object({
  /** As written in the config. */
  command: z.string(),
  /** True if `command` is a path rather than a name to look up. */
  pinned: z.boolean(),
  candidates: z.array(candidateSchema).readonly(),
  /** Folders in search order. */
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
    /** The login shell that was queried. */
    shell: z.string().optional(),
    readAt: z.number(),
  }),
});
export type CommandExplanation = Readonly<z.infer<typeof commandExplanationSchema>>;
