import { ProblemError, problem } from '../../../shared/error/problem.ts';
import type { TestTarget } from '../../../shared/model/tool/tester.ts';
import type { OperationInput } from '../../../shared/operations/table.ts';
import type { RawMessage, RawRequest } from '../jsonrpc/raw-message.ts';
import { readMessage } from '../jsonrpc/read-message.ts';

/**
 * Builds the request of a run. The arguments are inserted as written, so that numbers keep their digits;
 * empty text means no arguments. `asTask`: the server runs the tool only as a task. Throws
 * `tester.invalid_arguments`.
 */
export function testRequest(
  { kind, name }: TestTarget,
  text: string,
  id: number,
  asTask = false,
): RawRequest {
  const meta = `"_meta":{"progressToken":${id}}`;
  if (kind === 'resource') return request('resources/read', id, `"uri":${JSON.stringify(name)},${meta}`);
  const argumentsMember = text.trim() === '' ? '' : `"arguments":${argumentsOf(text)},`;
  const method = kind === 'tool' ? 'tools/call' : 'prompts/get';
  const task = asTask ? '"task":{},' : '';
  return request(method, id, `"name":${JSON.stringify(name)},${argumentsMember}${task}${meta}`);
}

/** Builds a request about the task of a run. */
export function taskRequest(method: 'tasks/result' | 'tasks/cancel', taskId: string, id: number): RawRequest {
  return request(method, id, `"taskId":${JSON.stringify(taskId)}`);
}

/** Builds the request for a server's completions. */
export function completionRequest(input: OperationInput<'tester.complete'>, id: number): RawRequest {
  const { ref, argument, others } = input;
  const context = Object.keys(others).length === 0 ? {} : { context: { arguments: others } };
  const params = JSON.stringify({ ref, argument, ...context });
  return request('completion/complete', id, params.slice(1, -1));
}

/** Builds a person's answer to a server request. Throws `tester.invalid_arguments`. */
export function replyMessage(text: string): RawMessage {
  const message = read(`{"jsonrpc":"2.0","id":0,"result":${objectText(text, 'The answer')}}`);
  if (message?.kind === 'result') return message;
  throw invalid('The answer is nested too deeply.', '');
}

function argumentsOf(text: string): string {
  return objectText(text, 'The arguments');
}

/** Puts the JSON on one line: line breaks mean nothing between tokens, and strings contain none. */
function objectText(text: string, what: string): string {
  const value = parsed(text, what);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid(`${what} must be a JSON object.`, `Start with { and end with }.`);
  }
  return text.replace(/[\r\n]+/g, ' ');
}

function parsed(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw invalid(`${what} must be JSON: ${reason}`, 'Fix the JSON at that place.');
  }
}

function request(method: string, id: number, params: string): RawRequest {
  const message = read(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":{${params}}}`);
  if (message?.kind === 'request') return message as RawRequest;
  throw invalid('The arguments are nested too deeply.', 'Use fewer levels.');
}

function read(line: string): RawMessage | undefined {
  return readMessage(Buffer.from(line));
}

function invalid(sentence: string, fix: string): ProblemError {
  return new ProblemError(problem('tester.invalid_arguments', sentence, fix));
}
