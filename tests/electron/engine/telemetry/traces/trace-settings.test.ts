import { describe, expect, it } from 'vitest';
import { readTraceSettings } from '../../../../../electron/engine/telemetry/traces/trace-settings.ts';

const endpoint = 'OTEL_EXPORTER_OTLP_ENDPOINT';
const at = { [endpoint]: 'http://collector:4318' };

describe('[REQ-MCP-OBS-001] trace settings', () => {
  it.each([
    ['nothing', {}],
    ['an empty address', { [endpoint]: ' ' }],
    ['a disabled SDK', { ...at, OTEL_SDK_DISABLED: 'TRUE' }],
    ['another exporter', { ...at, OTEL_TRACES_EXPORTER: 'none' }],
  ])('is nowhere with %s', (_what, env) => {
    expect(readTraceSettings(env)).toEqual({ kind: 'off' });
  });

  it.each([
    ['an address that is none', { [endpoint]: 'collector:4318' }],
    ['a file', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'file:///etc/passwd' }],
    ['grpc', { ...at, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }],
  ])('are reported as wrong with %s', (_what, env) => {
    expect(readTraceSettings(env)).toMatchObject({
      kind: 'bad',
      why: expect.stringContaining('OTEL_EXPORTER_OTLP_'),
    });
  });

  it("are read from OpenTelemetry's variables, those for traces before the general ones", () => {
    const usual = { timeout: 10_000, interval: 5_000, isPacked: false, headers: {}, attributes: {} };
    expect(readTraceSettings(at)).toEqual({
      kind: 'on',
      settings: {
        ...usual,
        url: 'http://collector:4318/v1/traces',
        serviceName: 'patchbay',
        sampling: { kind: 'on', isParentBased: true, ratio: 1 },
      },
    });
    expect(
      readTraceSettings({
        ...at,
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://other/traces',
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20x, a=1,nonsense,=2',
        OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'a=2,b=%E0%A4',
        OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
        OTEL_EXPORTER_OTLP_TIMEOUT: '250',
        OTEL_BSP_SCHEDULE_DELAY: 'soon',
        OTEL_SERVICE_NAME: 'hub of ann',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test',
      }),
    ).toMatchObject({
      settings: {
        url: 'https://other/traces',
        headers: { authorization: 'Bearer x', a: '2' },
        isPacked: true,
        timeout: 250,
        interval: 5_000,
        serviceName: 'hub of ann',
        attributes: { 'deployment.environment': 'test' },
      },
    });
  });

  it.each([
    ['always_off', undefined, { kind: 'off', isParentBased: false }],
    ['parentbased_always_off', undefined, { kind: 'off', isParentBased: true }],
    ['traceidratio', '0.25', { kind: 'ratio', isParentBased: false, ratio: 0.25 }],
    ['parentbased_traceidratio', '0', { kind: 'ratio', isParentBased: true, ratio: 0 }],
    ['traceidratio', '7', { kind: 'on', isParentBased: false }],
    ['something', '1', { kind: 'on', isParentBased: false }],
  ])('is sampled as %s with %s', (sampler, arg, sampling) => {
    const env = { ...at, OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: arg };
    expect(readTraceSettings(env)).toMatchObject({ settings: { sampling } });
  });
});
