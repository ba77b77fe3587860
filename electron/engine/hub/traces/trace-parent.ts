import { isRecord } from '../../../../shared/json.ts';
import { memberSpans } from '../../rpc/json-spans.ts';
import type { RawRequest } from '../../rpc/raw-message.ts';

/** What a client says of the trace that a call is part of, as W3C Trace Context has it. */
export interface TraceParent {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** Most calls say nothing, and are not parsed to find that out, as they would be if all params were asked for first. */
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
