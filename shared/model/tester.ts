import { z } from 'zod';

/** What the tester can try. */
export const testKinds = ['tool', 'prompt', 'resource'] as const;
export type TestKind = (typeof testKinds)[number];

/** Arguments and answers travel as JSON text, so that no number is rounded and nothing is left out on the way. */
const jsonText = z.string().max(10_000_000);

/** What is tried: `name` is the tool's or prompt's own name at its server, or the resource's URI. */
export const testTargetSchema = z.object({
  kind: z.enum(testKinds),
  serverKey: z.string(),
  name: z.string(),
});
export type TestTarget = Readonly<z.infer<typeof testTargetSchema>>;

/**
 * How a run ended. `ok`: with a result. `tool-error`: with a result in which the tool says that it failed. `error`: with the
 * server's own protocol error. `lost`: its connection ended, whether it took effect is not known. `refused`: no server
 * got it.
 */
export const testOutcomes = ['ok', 'tool-error', 'error', 'timeout', 'cancelled', 'lost', 'refused'] as const;
export type TestOutcome = (typeof testOutcomes)[number];

/** The answer to a run. */
export const testAnswerSchema = z.object({
  runId: z.string(),
  outcome: z.enum(testOutcomes),
  startedAt: z.number(),
  milliseconds: z.number(),
  /** JSON of the result, or of the error with its code and data, as the server wrote it; cut where `whole` is false. */
  text: z.string(),
  whole: z.boolean(),
  /** Of the whole answer. */
  bytes: z.number(),
});
export type TestAnswer = Readonly<z.infer<typeof testAnswerSchema>>;

/** A run of the past: secrets in it are masked, long texts are cut. */
export const testRecordSchema = testAnswerSchema.extend({ arguments: z.string() });
export type TestRecord = Readonly<z.infer<typeof testRecordSchema>>;

/** A server tells how far it is with a run. */
export const testProgressSchema = z.object({
  runId: z.string(),
  progress: z.number(),
  total: z.number().optional(),
  message: z.string().optional(),
});
export type TestProgress = Readonly<z.infer<typeof testProgressSchema>>;

/** A server asks the person at the tester something while it works on a run. */
export const testQuestionSchema = z.object({
  questionId: z.string(),
  serverKey: z.string(),
  kind: z.enum(['elicitation', 'sampling']),
  /** The params of its request, as it wrote them. */
  text: z.string(),
});
export type TestQuestion = Readonly<z.infer<typeof testQuestionSchema>>;

const definition = z.record(z.string(), z.unknown());

/** A prompt, resource or template of a server; `definition` is what the server sent, untouched. */
export const offeredItemSchema = z.object({
  /** Name of a prompt, URI of a resource, URI template of a template. */
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  definition,
});
export type OfferedItem = Readonly<z.infer<typeof offeredItemSchema>>;

/** What a server offers beside tools. */
export const offeredItemsSchema = z.object({
  prompts: z.array(offeredItemSchema).readonly(),
  resources: z.array(offeredItemSchema).readonly(),
  templates: z.array(offeredItemSchema).readonly(),
  /** Whether it completes arguments. */
  completes: z.boolean(),
});
export type OfferedItems = Readonly<z.infer<typeof offeredItemsSchema>>;

/** What a server proposes for an argument. */
export const completionSchema = z.object({
  values: z.array(z.string()).readonly(),
  total: z.number().optional(),
  hasMore: z.boolean(),
});
export type Completion = Readonly<z.infer<typeof completionSchema>>;

/** What a check expects of an answer. */
export const expectationSchema = z.object({
  outcome: z.enum(['ok', 'tool-error', 'error']),
  /** Members and types that the answer must have: those of an answer that was right; more may be there. */
  shape: jsonText.optional(),
  /** Must stand in the answer's text. */
  contains: z.string().max(10_000).optional(),
});
export type Expectation = Readonly<z.infer<typeof expectationSchema>>;

/** A run whose answer is known to be right, to be tried again. */
export const checkInputSchema = z.object({
  title: z.string().min(1).max(200),
  target: testTargetSchema,
  arguments: z.string().max(200_000),
  expects: expectationSchema,
});
export type CheckInput = Readonly<z.infer<typeof checkInputSchema>>;

/** How a check went. */
export const checkResultSchema = z.object({
  ok: z.boolean(),
  at: z.number(),
  milliseconds: z.number(),
  outcome: z.enum(testOutcomes),
  /** What is other than expected, a sentence each. */
  differences: z.array(z.string()).readonly(),
});
export type CheckResult = Readonly<z.infer<typeof checkResultSchema>>;

/** A check as the window lists it. */
export const checkSchema = checkInputSchema.extend({
  id: z.string(),
  createdAt: z.number(),
  last: checkResultSchema.optional(),
  running: z.boolean(),
  /** The server has another version, or the definition is another, than when it was last run. */
  due: z.boolean(),
});
export type Check = Readonly<z.infer<typeof checkSchema>>;
