import type { InvocationTrace } from '../contract.ts';

/** Returns the request's trace context; undefined if its headers are not valid W3C Trace Context. */
export function traceIn(header: (name: string) => string | undefined): InvocationTrace | undefined {
  const traceparent = header('traceparent');
  const tracestate = header('tracestate');
  if (traceparent === undefined || !traceparentPattern.test(traceparent)) return undefined;
  const isKnown = tracestate !== undefined && tracestate.length <= maxTracestateLength;
  return isKnown ? { traceparent, tracestate } : { traceparent };
}

const traceparentPattern =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-[0-9a-zA-Z-]{0,200})?$/;
const maxTracestateLength = 512;
