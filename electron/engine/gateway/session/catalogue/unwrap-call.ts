import { isRecord } from '../../../../../shared/json.ts';
import { callTool } from '../../../catalogue/view/compact-tools.ts';
import { memberSpans } from '../../../jsonrpc/json/json-spans.ts';
import type { RawRequest } from '../../../jsonrpc/raw-message.ts';
import { readMessage, toRaw } from '../../../jsonrpc/read-message.ts';
import { missingParam, objectExpected } from '../../../routing/error-map.ts';

/**
 * Unwraps a call of `call_tool`: the same message under the same id, with the wrapped name and arguments,
 * byte for byte. Throws RpcError if there is no name, or if the arguments are a string.
 */
export function unwrapCall(message: RawRequest): RawRequest {
  const name = wrappedName(message);
  if (message.paramsBytes === undefined) return unwrapValue(message, name);
  const line = message.line();
  const unwrapped = readMessage(Buffer.concat(unwrapParams(line)), message.source);
  return (unwrapped as RawRequest | undefined) ?? unwrapValue(message, name);
}

/** Returns the name of the wrapped tool. */
function wrappedName(message: RawRequest): string {
  const bytes = message.paramsBytes;
  const given = bytes === undefined ? argumentsOf(message).name : nameIn(bytes);
  if (typeof given !== 'string') throw missingParam(callTool.name, 'arguments.name');
  return given;
}

function nameIn(params: Buffer): unknown {
  const wrapped = lastMember(params, 'arguments');
  const name = wrapped && lastMember(wrapped, 'name');
  return name === undefined ? undefined : JSON.parse(name.toString('utf8'));
}

/** Returns the line with the params replaced by the wrapped ones. */
function unwrapParams(line: Buffer): readonly Buffer[] {
  const at = memberSpans(line, 'params').at(-1);
  if (at === undefined) return [line];
  const params = line.subarray(at.start, at.end);
  const wrapped = lastMember(params, 'arguments') ?? noArguments;
  const name = lastMember(wrapped, 'name') ?? noArguments;
  // Uses `{}` because removing a member would require removing its comma; to servers, empty arguments mean
  // the same as none.
  const inner = lastMember(wrapped, 'arguments') ?? noArguments;
  if (inner[0] === QUOTE) throw objectExpected(callTool.name, 'arguments.arguments');
  const replaced = [
    ...memberSpans(params, 'name').map((span) => ({ ...span, bytes: name })),
    ...memberSpans(params, 'arguments').map((span) => ({ ...span, bytes: inner })),
  ].sort((one, other) => one.start - other.start);
  const pieces: Buffer[] = [];
  let read = 0;
  for (const { start, end, bytes } of replaced) {
    pieces.push(line.subarray(read, at.start + start), bytes);
    read = at.start + end;
  }
  return [...pieces, line.subarray(read)];
}

const noArguments = Buffer.from('{}');
const QUOTE = 0x22;

/** Returns the last member with this name, as JSON parsers do. */
function lastMember(object: Buffer, name: string): Buffer | undefined {
  const span = memberSpans(object, name).at(-1);
  return span === undefined ? undefined : object.subarray(span.start, span.end);
}

function unwrapValue(message: RawRequest, name: string): RawRequest {
  const inner = argumentsOf(message).arguments ?? {};
  if (typeof inner === 'string') throw objectExpected(callTool.name, 'arguments.arguments');
  const params = { ...message.params, name, arguments: inner };
  return toRaw({ ...message.value, params } as typeof message.value) as RawRequest;
}

/** Returns the arguments of a call; empty unless they are an object. */
export function argumentsOf({ params }: RawRequest): Readonly<Record<string, unknown>> {
  return isRecord(params?.arguments) ? params.arguments : {};
}
