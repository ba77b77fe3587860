import { isRecord } from '../../../../shared/json.ts';
import { memberSpans } from '../../jsonrpc/json/json-spans.ts';
import type { RawRequest } from '../../jsonrpc/raw-message.ts';

/** The trace context that a client sends with a call (W3C Trace Context). */
export interface TraceParent {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** Skips parsing for most calls, which have no trace context. */
export function traceParentOf(request: RawRequest): TraceParent | undefined {
  const { paramsBytes } = request;
  const meta = paramsBytes === undefined ? request.params?._meta : metaIn(paramsBytes);
  if (!isRecord(meta) || typeof meta.traceparent !== 'string') return undefined;
  const { traceparent, tracestate } = meta;
  return typeof tracestate === 'string' ? { traceparent, tracestate } : { traceparent };
}

function metaIn(params: Buffer): unknown {
  if (!params.includes(member)) return undefined;
  const span = memberSpans(params, '_meta').at(-1);
  if (span === undefined) return undefined;
  try {
    return JSON.parse(params.toString('utf8', span.start, span.end));
  } catch {
    return undefined;
  }
}

const member = '"traceparent"';
