import { ROOT_CONTEXT, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import { type ExportResult, ExportResultCode, parseTraceParent, TraceState } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { CompressionAlgorithm } from '@opentelemetry/otlp-exporter-base';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import type { CallSpan } from './call-span.ts';
import type { TraceParent } from './trace-parent.ts';
import type { TraceSampling, TraceSettings } from './trace-settings.ts';

export interface SpanSenderOptions extends TraceSettings {
  readonly version: string;
  /**
   * Called once when spans cannot be delivered, with the reason, and with undefined when they can be again.
   */
  readonly report: (why: string | undefined) => void;
}

/** Sends spans in batches. Spans beyond the queue's size are dropped. */
export class SpanSender {
  readonly #provider: BasicTracerProvider;
  readonly #tracer: Tracer;

  constructor({ url, headers, isPacked, timeout, interval, report, ...resource }: SpanSenderOptions) {
    const exporter = new OTLPTraceExporter({
      url,
      headers: { ...headers },
      timeoutMillis: timeout,
      compression: isPacked ? CompressionAlgorithm.GZIP : CompressionAlgorithm.NONE,
    });
    const { serviceName, version, attributes } = resource;
    const named = { 'service.name': serviceName, 'service.version': version };
    this.#provider = new BasicTracerProvider({
      resource: resourceFromAttributes({ ...attributes, ...named }),
      sampler: samplerOf(resource.sampling),
      spanProcessors: [
        new BatchSpanProcessor(new ReportingExporter(exporter, report), {
          maxQueueSize: maxQueueSize,
          scheduledDelayMillis: interval,
        }),
      ],
    });
    this.#tracer = this.#provider.getTracer('patchbay', version);
  }

  send({ name, startedAt, endedAt, isError, attributes, parent }: CallSpan): void {
    const options = { kind: SpanKind.SERVER, startTime: startedAt, attributes, root: parent === undefined };
    const span = this.#tracer.startSpan(name, options, contextOf(parent));
    if (isError) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(endedAt);
  }

  /** Sends pending spans. */
  close(): Promise<void> {
    return this.#provider.shutdown();
  }
}

const maxQueueSize = 2_048;

function contextOf(parent: TraceParent | undefined) {
  const known = parent && parseTraceParent(parent.traceparent);
  if (!known) return ROOT_CONTEXT;
  const { tracestate } = parent;
  const state = tracestate === undefined ? {} : { traceState: new TraceState(tracestate) };
  return trace.setSpanContext(ROOT_CONTEXT, { ...known, isRemote: true, ...state });
}

function samplerOf({ kind, ratio, isParentBased }: TraceSampling): Sampler {
  const root =
    kind === 'ratio'
      ? new TraceIdRatioBasedSampler(ratio)
      : kind === 'on'
        ? new AlwaysOnSampler()
        : new AlwaysOffSampler();
  return isParentBased ? new ParentBasedSampler({ root }) : root;
}

/** Reports once that delivery fails, and once that it works again. */
class ReportingExporter implements SpanExporter {
  readonly #exporter: SpanExporter;
  readonly #report: (why: string | undefined) => void;
  #isFailing = false;

  constructor(exporter: SpanExporter, report: (why: string | undefined) => void) {
    this.#exporter = exporter;
    this.#report = report;
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.#exporter.export(spans, ({ code, error }) => {
      const hasFailed = code === ExportResultCode.FAILED;
      if (hasFailed !== this.#isFailing)
        this.#report(hasFailed ? (error?.message ?? 'no reason given') : undefined);
      this.#isFailing = hasFailed;
      done({ code: ExportResultCode.SUCCESS });
    });
  }

  shutdown(): Promise<void> {
    return this.#exporter.shutdown();
  }
}
