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
} from '../model/tester.ts';
import { type IpcRows, nothing } from './parts.ts';

const runId = z.string().min(1).max(64);
const server = z.object({ serverKey: z.string() });

/** Calls that try what servers offer, one row each; see `contract.ts`. */
export const testerCalls = {
  /**
   * Runs a tool, gets a prompt or reads a resource, through the same router as a client's call; a sleeping server is woken.
   * `arguments` is the text of a JSON object and reaches the server as it is; it is not used for resources. A server's
   * error, a refusal and a cancellation are answers; it rejects with `tester.invalid_arguments` and `tester.busy`.
   */
  'tester.call': {
    input: z.object({
      runId,
      target: testTargetSchema,
      arguments: z.string().max(10_000_000),
      /** The person has confirmed that a tool that is turned off is to be run all the same. */
      evenIfOff: z.boolean().optional(),
    }),
    output: testAnswerSchema,
  },
  /** The server is told, and the call is answered with the outcome `cancelled`. Nothing for a run that has ended. */
  'tester.cancel': { input: z.object({ runId }), output: nothing },
  /**
   * Answers a `tester.question`: with the JSON of the result, or with a refusal. Rejects with
   * `tester.invalid_arguments` for a result that is none; a question that is over is nothing.
   */
  'tester.reply': {
    input: z.object({
      questionId: z.string(),
      reply: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('result'), text: z.string().max(10_000_000) }),
        z.object({ kind: z.literal('refuse') }),
      ]),
    }),
    output: nothing,
  },
  /** Questions that wait for a reply, for a window that was opened after they came. */
  'tester.questions': {
    input: nothing,
    output: z.object({ questions: z.array(testQuestionSchema).readonly() }),
  },
  'tester.offer': { input: server, output: offeredItemsSchema },
  /** What the server proposes for an argument of a prompt or a template, given the others. */
  'tester.complete': {
    input: server.extend({
      ref: z.discriminatedUnion('type', [
        z.object({ type: z.literal('ref/prompt'), name: z.string() }),
        z.object({ type: z.literal('ref/resource'), uri: z.string() }),
      ]),
      argument: z.object({ name: z.string(), value: z.string() }),
      others: z.record(z.string(), z.string()),
    }),
    output: completionSchema,
  },
  /** Newest first. */
  'tester.history': {
    input: testTargetSchema,
    output: z.object({ runs: z.array(testRecordSchema).readonly() }),
  },
  'tester.clearHistory': { input: testTargetSchema, output: nothing },
  /** Asks where to, and writes the whole answer of one of the last runs there. False: it was called off. */
  'tester.save': { input: z.object({ runId }), output: z.object({ saved: z.boolean() }) },
  /** All checks; `checks.changed` keeps the list fresh. */
  'check.list': { input: nothing, output: z.object({ checks: z.array(checkSchema).readonly() }) },
  /** Adds one. Rejects with `tester.too_many_checks`. */
  'check.add': { input: checkInputSchema, output: z.object({ id: z.string() }) },
  'check.remove': { input: z.object({ id: z.string() }), output: nothing },
  /** Runs some, or all of a server, one after the other. */
  'check.run': {
    input: z.union([z.object({ ids: z.array(z.string()) }), server]),
    output: z.object({ passed: z.number(), failed: z.number() }),
  },
} as const satisfies IpcRows;

/** Events about them. */
export const testerEvents = {
  'tester.progress': testProgressSchema,
  'tester.question': testQuestionSchema,
  /** Answered, or the server does not wait any more. */
  'tester.questionEnded': z.object({ questionId: z.string() }),
  'checks.changed': z.object({ checks: z.array(checkSchema).readonly() }),
} as const;
