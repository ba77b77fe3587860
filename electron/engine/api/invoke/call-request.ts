import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import type { RawRequest } from '../../jsonrpc/raw-message.ts';
import { readMessage } from '../../jsonrpc/read-message.ts';
import type { Invocation } from '../contract.ts';

/** Builds the request of a call with its arguments as written. `name`: the canonical id of the tool. */
export function callRequest(
  name: string,
  argumentsText: string,
  id: number,
  { idempotencyKey, correlationId, trace }: Pick<Invocation, 'idempotencyKey' | 'correlationId' | 'trace'>,
): RawRequest {
  const known = {
    ...(idempotencyKey === undefined ? {} : { 'patchbay/idempotencyKey': idempotencyKey }),
    ...(correlationId === undefined ? {} : { 'patchbay/correlationId': correlationId }),
    ...trace,
  };
  const meta = Object.keys(known).length === 0 ? '' : `,"_meta":${JSON.stringify(known)}`;
  const params = `"name":${JSON.stringify(name)},"arguments":${argumentsText}${meta}`;
  const line = `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{${params}}}`;
  const message = readMessage(Buffer.from(line));
  if (message?.kind === 'request') return message as RawRequest;
  throw new ProblemError(
    problem('app.invalid_request', 'The arguments are nested too deeply.', 'Use fewer levels of nesting.'),
  );
}
