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

/** Calls of the tester, one row each; see `contract.ts`. */
export const testerCalls = {
  /**
   * Runs a tool, gets a prompt or reads a resource through the same router as a client's call; a sleeping
   * server is woken. `arguments` is the text of a JSON object and reaches the server unchanged; it is not
   * used for resources. A server's error, a refusal and a cancellation are results; it rejects with
   * `tester.invalid_arguments` and `tester.busy`.
   */
  'tester.call': {
    input: z.object({
      runId,
      target: testTargetSchema,
      arguments: z.string().max(10_000_000),
      /** True if the user has confirmed running a tool that is turned off. */
      evenIfOff: z.boolean().optional(),
    }),
    output: testAnswerSchema,
  },
  /**
   * Cancels a run: the server is notified, and the call returns the outcome `cancelled`. Does nothing for a
   * run that has ended.
   */
  'tester.cancel': { input: z.object({ runId }), output: nothing },
  /**
   * Answers a `tester.question` with the JSON of a result, or refuses it. Rejects with
   * `tester.invalid_arguments` for an invalid result; does nothing for a question that has ended.
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
  /** Returns the questions that wait for a reply, for a window opened after they arrived. */
  'tester.questions': {
    input: nothing,
    output: z.object({ questions: z.array(testQuestionSchema).readonly() }),
  },
  'tester.offer': { input: server, output: offeredItemsSchema },
  /** Returns the server's completions for an argument of a prompt or a template, given the others. */
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
  /** Opens a save dialog and writes the whole answer of a recent run. False if it was cancelled. */
  'tester.save': { input: z.object({ runId }), output: z.object({ saved: z.boolean() }) },
  /** Returns all checks; `checks.changed` events update them. */
  'check.list': { input: nothing, output: z.object({ checks: z.array(checkSchema).readonly() }) },
  /** Adds a check. Rejects with `tester.too_many_checks`. */
  'check.add': { input: checkInputSchema, output: z.object({ id: z.string() }) },
  'check.remove': { input: z.object({ id: z.string() }), output: nothing },
  /** Runs the given checks, or all of a server, in sequence. */
  'check.run': {
    input: z.union([z.object({ ids: z.array(z.string()) }), server]),
    output: z.object({ passed: z.number(), failed: z.number() }),
  },
} as const satisfies IpcRows;

export const testerEvents = {
  'tester.progress': testProgressSchema,
  'tester.question': testQuestionSchema,
  /** Sent when a question was answered or the server no longer waits. */
  'tester.questionEnded': z.object({ questionId: z.string() }),
  'checks.changed': z.object({ checks: z.array(checkSchema).readonly() }),
} as const;
