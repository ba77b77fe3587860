import { z } from 'zod';
import {
  checkInputSchema,
  checkSchema,
  completionSchema,
  offeredItemsSchema,
  testAnswerSchema,
  testProgressSchema,
  testQuestionSchema,
  testRecordSchema,
  testTargetSchema,
} from '../model/tool/tester.ts';
import { operation } from './operation.ts';
import { nothing } from './parts.ts';

export const runId = z.string().min(1).max(64);
const server = z.object({ serverKey: z.string() });

/** Operations that try out what servers offer. */
export const testerOperations = {
  /**
   * Runs a tool, gets a prompt or reads a resource, through the same router as a client's call; a sleeping
   * server is started. `arguments` is the text of a JSON object and reaches the server unchanged; it is not
   * used for resources. A server's error, a refusal and a cancellation are answers; it rejects with
   * `tester.invalid_arguments` and `tester.busy`.
   */
  'tester.call': operation({
    input: z.object({
      runId,
      target: testTargetSchema,
      arguments: z.string().max(10_000_000),
      /** True if the person has confirmed to run a tool that is turned off. */
      evenIfOff: z.boolean().optional(),
    }),
    output: testAnswerSchema,
    doors: ['window'],
  }),
  /** Cancels a run; its call is answered with the outcome `cancelled`. Does nothing for a run that has ended. */
  'tester.cancel': operation({ input: z.object({ runId }), output: nothing, doors: ['window'] }),
  /**
   * Answers a `tester.question` with the JSON of the result, or with a refusal. Rejects with
   * `tester.invalid_arguments` for an invalid result; ignores a question that has ended.
   */
  'tester.reply': operation({
    input: z.object({
      questionId: z.string(),
      reply: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('result'), text: z.string().max(10_000_000) }),
        z.object({ kind: z.literal('refuse') }),
      ]),
    }),
    output: nothing,
    doors: ['window'],
  }),
  /** Lists open questions, for a window that was opened after they came. */
  'tester.questions': operation({
    input: nothing,
    output: z.object({ questions: z.array(testQuestionSchema).readonly() }),
    doors: ['window'],
  }),
  'tester.offer': operation({ input: server, output: offeredItemsSchema, doors: ['window'] }),
  /** Asks the server to complete an argument of a prompt or a template, given the others. */
  'tester.complete': operation({
    input: server.extend({
      ref: z.discriminatedUnion('type', [
        z.object({ type: z.literal('ref/prompt'), name: z.string() }),
        z.object({ type: z.literal('ref/resource'), uri: z.string() }),
      ]),
      argument: z.object({ name: z.string(), value: z.string() }),
      others: z.record(z.string(), z.string()),
    }),
    output: completionSchema,
    doors: ['window'],
  }),
  /** Newest first. */
  'tester.history': operation({
    input: testTargetSchema,
    output: z.object({ runs: z.array(testRecordSchema).readonly() }),
    doors: ['window'],
  }),
  'tester.clearHistory': operation({ input: testTargetSchema, output: nothing, doors: ['window'] }),
  /** Returns the whole answer of one of the last runs. */
  'tester.answer': operation({
    input: z.object({ runId }),
    output: z.object({ answer: z.string() }),
    doors: [],
  }),
  /** `checks.changed` keeps the list up to date. */
  'check.list': operation({
    input: nothing,
    output: z.object({ checks: z.array(checkSchema).readonly() }),
    doors: ['window'],
  }),
  /** Rejects with `tester.too_many_checks`. */
  'check.add': operation({
    input: checkInputSchema,
    output: z.object({ id: z.string() }),
    doors: ['window'],
  }),
  'check.remove': operation({ input: z.object({ id: z.string() }), output: nothing, doors: ['window'] }),
  /** Runs some checks, or all of a server, one after the other. */
  'check.run': operation({
    input: z.union([z.object({ ids: z.array(z.string()) }), server]),
    output: z.object({ passed: z.number(), failed: z.number() }),
    doors: ['window'],
  }),
};

export const testerEvents = {
  'tester.progress': testProgressSchema,
  'tester.question': testQuestionSchema,
  /** The question was answered, or its server no longer waits. */
  'tester.questionEnded': z.object({ questionId: z.string() }),
  'checks.changed': z.object({ checks: z.array(checkSchema).readonly() }),
} as const;
