import { maskJson } from '../base/mask/mask-json.ts';
import { memberSpans } from '../jsonrpc/json/json-spans.ts';
import type { RawRequest } from '../jsonrpc/raw-message.ts';

/** Returns the arguments of a call as they were written, secrets masked, truncated if long. */
export function shownArguments(message: RawRequest, redact: (text: string) => string): string {
  const text = argumentsOf(message);
  return text === undefined ? '{}' : maskJson(text, { redact, maxLength: maxShown }).text;
}

function argumentsOf({ paramsBytes, params }: RawRequest): string | undefined {
  // Takes the last one of duplicate members, as JSON parsers do.
  const span = paramsBytes && memberSpans(paramsBytes, 'arguments').at(-1);
  if (paramsBytes !== undefined) return span && paramsBytes.toString('utf8', span.start, span.end);
  return params?.arguments === undefined ? undefined : JSON.stringify(params.arguments);
}

const maxShown = 16 * 1024;
