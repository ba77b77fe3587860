import { isRecord } from '../../../../shared/json.ts';
import type { RawRequest } from '../../jsonrpc/raw-message.ts';

/** The trace context that a client sends with a call (W3C Trace Context). */
export interface TraceParent {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** Skips parsing for most calls, which have no trace context. */
export function traceParentOf(request: RawRequest): TraceParent | undefined {
  const text = request.paramText('meta');
  if (text?.includes('"traceparent"') !== true) return undefined;
  const meta: unknown = JSON.parse(text);
  if (!isRecord(meta) || typeof meta.traceparent !== 'string') return undefined;
  const { traceparent, tracestate } = meta;
  return typeof tracestate === 'string' ? { traceparent, tracestate } : { traceparent };
}
