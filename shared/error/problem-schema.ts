import { z } from 'zod';
import { type Problem, problemCodes } from './problem.ts';

const evidenceSchema = z.object({ label: z.string(), value: z.string() });

/** A {@link Problem} that comes from another process. */
export const problemSchema = z.object({
  code: z.enum(problemCodes),
  sentence: z.string(),
  fix: z.string(),
  evidence: z.array(evidenceSchema).readonly(),
}) satisfies z.ZodType<Problem>;
