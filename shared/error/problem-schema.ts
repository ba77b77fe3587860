import { z } from 'zod';
import { causeCodes } from './cause.ts';
import { type Problem, problemCodes } from './problem.ts';

const evidenceSchema = z.object({ label: z.string(), value: z.string() });

/** A {@link Problem} that comes from another process. */
export const problemSchema = z.object({
  code: z.enum(problemCodes),
  sentence: z.string(),
  fix: z.string(),
  evidence: z.array(evidenceSchema).readonly(),
  // A newer program may know more reasons than this one.
  cause: z
    .object({ code: z.enum(causeCodes), subject: z.string().optional() })
    .optional()
    .catch(undefined),
}) satisfies z.ZodType<Problem>;
