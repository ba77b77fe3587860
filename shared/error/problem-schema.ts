import { z } from 'zod';
import { causeCodes } from './cause.ts';
import { type Problem, problemCodes } from './problem.ts';

const evidenceSchema = z.object({ label: z.string(), value: z.string() });

/** Schema of a {@link Problem} that comes from another process. */
export const problemSchema = z.object({
  code: z.enum(problemCodes),
  sentence: z.string(),
  fix: z.string(),
  evidence: z.array(evidenceSchema).readonly(),
  // A newer program may send causes that this one does not know.
  cause: z
    .object({ code: z.enum(causeCodes), subject: z.string().optional() })
    .optional()
    .catch(undefined),
}) satisfies z.ZodType<Problem>;
