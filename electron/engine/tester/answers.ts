import type { TestAnswer, TestKind, TestOutcome } from '../../../shared/model/tool/tester.ts';
import { isErrorResult } from '../jsonrpc/error-result.ts';
import { memberSpans } from '../jsonrpc/json/json-spans.ts';
import { RpcError } from '../jsonrpc/message.ts';
import type { RawMessage } from '../jsonrpc/raw-message.ts';
import { kindOf, outcomeOf } from '../routing/resilience/failure.ts';

/** A complete answer. */
export interface WholeAnswer {
  readonly outcome: TestOutcome;
  /** JSON. */
  readonly bytes: Buffer;
}

/** Returns the answer of a run that ended with a result. */
export function resultAnswer(kind: TestKind, message: RawMessage): WholeAnswer {
  const bytes = message.resultBytes ?? Buffer.from(JSON.stringify(message.result ?? null));
  return { outcome: kind === 'tool' && isErrorResult(bytes) ? 'tool-error' : 'ok', bytes };
}

/** Returns the answer of a run that ended without a result. */
export function errorAnswer(error: unknown, signal: AbortSignal): WholeAnswer {
  return { outcome: outcomeOf(kindOf(error, signal)), bytes: errorBytes(error) };
}

/** Returns the part of an answer that is shown. */
export function shownAnswer(
  { outcome, bytes }: WholeAnswer,
  run: Pick<TestAnswer, 'runId' | 'startedAt' | 'milliseconds'>,
  limit = shownBytes,
): TestAnswer {
  const whole = bytes.length <= limit;
  const text = whole ? bytes.toString('utf8') : beginning(bytes, limit);
  return { ...run, outcome, text, whole, bytes: bytes.length };
}

/** The window shows this much; the rest can be saved. */
const shownBytes = 10_000_000;

/** Returns the start of a text without half a character at the end. */
export function beginning(bytes: Buffer, limit: number): string {
  let end = limit;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}

/** Returns the server's own error as it was written, or ours in the same form. */
function errorBytes(error: unknown): Buffer {
  if (!(error instanceof RpcError)) {
    const message = error instanceof Error ? error.message : String(error);
    return Buffer.from(JSON.stringify({ message }));
  }
  const line = error.received?.line();
  const span = line && memberSpans(line, 'error').at(-1);
  if (line === undefined || span === undefined) return Buffer.from(JSON.stringify(error.toObject()));
  return line.subarray(span.start, span.end);
}
