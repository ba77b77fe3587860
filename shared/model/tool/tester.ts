import { z } from 'zod';

/** Kinds of items that the tester can call. */
export const testKinds = ['tool', 'prompt', 'resource'] as const;
export type TestKind = (typeof testKinds)[number];

/** Arguments and answers travel as JSON text, so that no number is rounded and nothing is lost. */
const jsonText = z.string().max(10_000_000);

/** Target of a test: `name` is the tool's or prompt's original name, or the resource's URI. */
export const testTargetSchema = z.object({
  kind: z.enum(testKinds),
  serverKey: z.string(),
  name: z.string(),
});
export type TestTarget = Readonly<z.infer<typeof testTargetSchema>>;

/**
 * Outcome of a run. `ok`: a result. `tool-error`: a result with `isError`. `error`: a JSON-RPC error from the
 * server. `lost`: the connection closed, so it is unknown whether the call took effect. `refused`: no server
 * received it.
 */
export const testOutcomes = ['ok', 'tool-error', 'error', 'timeout', 'cancelled', 'lost', 'refused'] as const;
export type TestOutcome = (typeof testOutcomes)[number];

/** Result of a run. */
export const testAnswerSchema = z.object({
  runId: z.string(),
  outcome: z.enum(testOutcomes),
  startedAt: z.number(),
  milliseconds: z.number(),
  /**
   * JSON of the result, or of the error with its code and data, as the server sent it; cut if `whole` is
   * false.
   */
  text: z.string(),
  whole: z.boolean(),
  /** Size of the whole answer. */
  bytes: z.number(),
});
export type TestAnswer = Readonly<z.infer<typeof testAnswerSchema>>;

/** A past run: secrets are masked, long texts cut. */
export const testRecordSchema = testAnswerSchema.extend({ arguments: z.string() });
export type TestRecord = Readonly<z.infer<typeof testRecordSchema>>;

/** Progress that a server reports for a run. */
export const testProgressSchema = z.object({
  runId: z.string(),
  progress: z.number(),
  total: z.number().optional(),
  message: z.string().optional(),
});
export type TestProgress = Readonly<z.infer<typeof testProgressSchema>>;

/** A server's request to the user during a run. */
export const testQuestionSchema = z.object({
  questionId: z.string(),
  serverKey: z.string(),
  kind: z.enum(['elicitation', 'sampling']),
  /** The request's params, as the server sent them. */
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

/** Prompts, resources and templates of a server. */
export const offeredItemsSchema = z.object({
  prompts: z.array(offeredItemSchema).readonly(),
  resources: z.array(offeredItemSchema).readonly(),
  templates: z.array(offeredItemSchema).readonly(),
  /** True if it supports argument completion. */
  completes: z.boolean(),
});
export type OfferedItems = Readonly<z.infer<typeof offeredItemsSchema>>;

/** A server's completions for an argument. */
export const completionSchema = z.object({
  values: z.array(z.string()).readonly(),
  total: z.number().optional(),
  hasMore: z.boolean(),
});
export type Completion = Readonly<z.infer<typeof completionSchema>>;

/** Expectations of a check. */
export const expectationSchema = z.object({
  outcome: z.enum(['ok', 'tool-error', 'error']),
  /** Members and types that the answer must have, taken from a correct answer; more are allowed. */
  shape: jsonText.optional(),
  /** Text that the answer must contain. */
  contains: z.string().max(10_000).optional(),
});
export type Expectation = Readonly<z.infer<typeof expectationSchema>>;

/** A run with a known correct answer, to be repeated. */
export const checkInputSchema = z.object({
  title: z.string().min(1).max(200),
  target: testTargetSchema,
  arguments: z.string().max(200_000),
  expects: expectationSchema,
});
export type CheckInput = Readonly<z.infer<typeof checkInputSchema>>;

/** Result of a check. */
export const checkResultSchema = z.object({
  ok: z.boolean(),
  at: z.number(),
  milliseconds: z.number(),
  outcome: z.enum(testOutcomes),
  /** Differences from the expectation, a sentence each. */
  differences: z.array(z.string()).readonly(),
});
export type CheckResult = Readonly<z.infer<typeof checkResultSchema>>;

/** A check as the window lists it. */
export const checkSchema = checkInputSchema.extend({
  id: z.string(),
  createdAt: z.number(),
  last: checkResultSchema.optional(),
  running: z.boolean(),
  /** True if the server's version or the definition has changed since the last run. */
  due: z.boolean(),
});
export type Check = Readonly<z.infer<typeof checkSchema>>;
