type Variables = Readonly<Record<string, string | undefined>>;

export interface TraceSampling {
  readonly kind: 'on' | 'off' | 'ratio';
  /** Follows the caller's sampling decision if it sends one. */
  readonly isParentBased: boolean;
  /** Ratio from 0 to 1. */
  readonly ratio: number;
}

/** Trace settings from OpenTelemetry's environment variables. */
export interface TraceSettings {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** Additional resource attributes. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly sampling: TraceSampling;
  readonly isPacked: boolean;
  /** Milliseconds that one delivery may take, and milliseconds between two. */
  readonly timeout: number;
  readonly interval: number;
}

export type TraceChoice =
  | { readonly kind: 'off' }
  | { readonly kind: 'on'; readonly settings: TraceSettings }
  | { readonly kind: 'bad'; readonly why: string };

/** Reads the trace settings from the environment; without an endpoint there are no traces. */
export function readTraceSettings(env: Variables): TraceChoice {
  const exporter = env.OTEL_TRACES_EXPORTER?.trim() || 'otlp';
  const url = endpointOf(env);
  if (url === undefined || isTrue(env.OTEL_SDK_DISABLED) || exporter !== 'otlp') return { kind: 'off' };
  if (!isWebAddress(url)) return { kind: 'bad', why: badEndpoint };
  if (traceVariable(env, 'PROTOCOL') === 'grpc') return { kind: 'bad', why: noGrpc };
  return {
    kind: 'on',
    settings: {
      url,
      headers: {
        ...pairsIn(env.OTEL_EXPORTER_OTLP_HEADERS),
        ...pairsIn(env.OTEL_EXPORTER_OTLP_TRACES_HEADERS),
      },
      serviceName: env.OTEL_SERVICE_NAME?.trim() || 'patchbay',
      attributes: pairsIn(env.OTEL_RESOURCE_ATTRIBUTES),
      sampling: samplingOf(env),
      isPacked: traceVariable(env, 'COMPRESSION') === 'gzip',
      timeout: millisecondsIn(traceVariable(env, 'TIMEOUT'), 10_000),
      interval: millisecondsIn(env.OTEL_BSP_SCHEDULE_DELAY, 5_000),
    },
  };
}

/** The endpoint for traces is a full URL; the general one is the base of `/v1/traces`. */
function endpointOf(env: Variables): string | undefined {
  const own = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?.trim();
  if (own) return own;
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT?.trim();
  return base ? `${base.replace(/(?<!\/)\/+$/, '')}/v1/traces` : undefined;
}

/** Prefers the variable for traces to the general one. */
function traceVariable(env: Variables, name: 'PROTOCOL' | 'COMPRESSION' | 'TIMEOUT'): string | undefined {
  return (env[`OTEL_EXPORTER_OTLP_TRACES_${name}`]?.trim() || env[`OTEL_EXPORTER_OTLP_${name}`])?.trim();
}

/** Parses `name=value,…`, percent-encoded; skips invalid pairs. */
function pairsIn(text = ''): Readonly<Record<string, string>> {
  const pairs = text.split(',').flatMap((pair) => {
    const at = pair.indexOf('=');
    const [name, value] = [pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())];
    return at < 1 || name === '' || value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(pairs);
}

function samplingOf({
  OTEL_TRACES_SAMPLER: sampler,
  OTEL_TRACES_SAMPLER_ARG: arg,
}: Variables): TraceSampling {
  const [, parent, name = 'always_on'] =
    /^(parentbased_)?(\w+)$/.exec(sampler?.trim() || 'parentbased_always_on') ?? [];
  const ratio = arg === undefined || arg.trim() === '' ? 1 : Number(arg);
  const isParentBased = parent !== undefined;
  if (name === 'always_off') return { kind: 'off', isParentBased, ratio: 0 };
  if (name === 'traceidratio' && ratio >= 0 && ratio <= 1) return { kind: 'ratio', isParentBased, ratio };
  return { kind: 'on', isParentBased, ratio: 1 };
}

function isTrue(text: string | undefined): boolean {
  return text?.trim().toLowerCase() === 'true';
}

function millisecondsIn(text: string | undefined, defaultMs: number): number {
  const number = Number(text);
  return text?.trim() && Number.isFinite(number) && number > 0 ? number : defaultMs;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function isWebAddress(url: string): boolean {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  return parsed?.protocol === 'http:' || parsed?.protocol === 'https:';
}

/** Messages omit the values: an address may contain a password. */
const badEndpoint =
  'OTEL_EXPORTER_OTLP_ENDPOINT or OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is not an http or https address, so no traces are sent. Set it, for example, to http://localhost:4318.';
const noGrpc =
  'OTEL_EXPORTER_OTLP_PROTOCOL selects grpc, which is not supported, so no traces are sent. Set an OTLP/HTTP endpoint, usually at port 4318, and http/json.';
