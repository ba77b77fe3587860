import { describe, expect, it } from 'vitest';
import { Problems } from '../../../../../electron/engine/base/problems.ts';
import { Limits, reportInvalidLimits } from '../../../../../electron/engine/config/limits/limits.ts';
import {
  circuitRules,
  retryRules,
  withCallTimeout,
} from '../../../../../electron/engine/routing/limit-rules.ts';
import { type LimitField, limitFields, limitNames } from '../../../../../shared/model/hub/limits.ts';

/** The values of the integration design. */
const documented: readonly (readonly [string, number])[] = [
  ['MCP_RETRY_MAX_ATTEMPTS', 3],
  ['MCP_RETRY_BASE_MS', 500],
  ['MCP_RETRY_FACTOR', 2],
  ['MCP_RETRY_MAX_DELAY_MS', 30_000],
  ['MCP_CIRCUIT_FAILURE_THRESHOLD', 5],
  ['MCP_CIRCUIT_COOLDOWN', 60],
  ['MCP_CIRCUIT_HALF_OPEN_MAX', 3],
  ['MCP_TOKEN_TTL_MINUTES', 15],
  ['MCP_AUTH_CACHE_TTL', 5],
  ['MCP_INVOCATION_TIMEOUT_MS', 30_000],
  ['MCP_AUDIT_RETENTION_DAYS', 90],
];

const inForce = (limits: Limits, variable: string) =>
  limits.list().find((view) => view.variable === variable)?.value;

describe('[REQ-MCP-CONFIG] limits', () => {
  it.each(documented)('%s has the document’s default, %d', (variable, value) => {
    expect(inForce(new Limits(), variable)).toBe(value);
  });

  it('are exactly those of the document', () => {
    const variables = new Limits().list().map(({ variable }) => variable);
    expect(variables.sort()).toEqual(documented.map(([variable]) => variable).sort());
  });

  it.each(limitNames)('%s comes from the variable, then the setting, then the default', (name) => {
    const { variable, max, min, default: usual }: LimitField = limitFields[name];
    const chosen = { [name]: max };
    const both = new Limits({ variables: { [variable]: ` ${min} ` }, chosen });
    const alone = new Limits({ variables: { [variable]: '' }, chosen });
    const found = [both, alone, new Limits()].map((limits) => {
      const { value, source } = limits.list().find((view) => view.name === name) ?? {};
      return [value, source, limits.current[name]];
    });
    expect(found).toEqual([
      [min, 'variable', min],
      [max, 'settings', max],
      [usual, 'default', usual],
    ]);
  });

  it.each(documented)('%s is refused by name if it is not a number or out of range', (variable) => {
    for (const bad of ['many', '-1', '1e99', '1.5.2']) {
      const limits = new Limits({ variables: { [variable]: bad }, chosen: {} });
      expect(limits.problems.map(({ code }) => code)).toEqual(['hub.bad_limit']);
      expect(() => limits.requireValid()).toThrow(variable);
      expect(inForce(limits, variable)).toBe(inForce(new Limits(), variable));
    }
  });

  it('name every invalid value at once, and repeat only numbers', () => {
    const variables = { MCP_RETRY_BASE_MS: 'sk-secret-in-the-wrong-place', MCP_CIRCUIT_COOLDOWN: '0' };
    const limits = new Limits({ variables, chosen: { tokenTtlMinutes: 'x' } });
    expect(() => limits.requireValid()).toThrow(
      /MCP_RETRY_BASE_MS.*MCP_CIRCUIT_COOLDOWN.*limits\.tokenTtlMinutes in settings\.json/,
    );
    expect(JSON.stringify(limits.problems)).not.toContain('wrong-place');
  });

  it('refuse an invalid setting and change nothing', () => {
    const limits = new Limits({ variables: {}, chosen: { circuitCooldown: 10 } });
    expect(() => limits.chosenWith('circuitCooldown', 0.5)).toThrow('circuitCooldown');
    expect(() => limits.choose({ circuitCooldown: 0 })).toThrow('circuitCooldown');
    expect(limits.current.circuitCooldown).toBe(10);
  });

  it('apply at once, in retries and circuits too', () => {
    const limits = new Limits();
    const [retry, circuit] = [retryRules(limits), circuitRules(limits)];
    limits.choose({ retryMaxAttempts: 7, retryBaseMs: 5, circuitCooldown: 2, circuitFailureThreshold: 9 });
    expect([retry.maxAttempts, retry.backoff.initial, retry.backoff.jitter]).toEqual([7, 5, 0.2]);
    expect([circuit.cooldownMs, circuit.failures, circuit.successes]).toEqual([2_000, 9, 3]);
    limits.choose(limits.chosenWith('retryMaxAttempts', undefined));
    expect(retry.maxAttempts).toBe(3);
  });

  it('are problems of the hub while they are invalid', () => {
    const limits = new Limits({ variables: {}, chosen: { retryFactor: 0, retryBaseMs: -1 } });
    const problems = new Problems(() => {});
    const shown = reportInvalidLimits(limits, problems);
    expect(problems.all()).toHaveLength(2);
    limits.choose({ retryFactor: 3 });
    expect(problems.all()).toEqual([]);
    shown.dispose();
  });
});

describe('the call timeout', () => {
  const configured = { callTimeout: undefined };
  const own = { callTimeout: 7 };
  const optionsOf = (key: string) => (key === 'own' ? own : key === 'none' ? undefined : configured);

  it('[US3.3] is unlimited by default', () => {
    const limited = withCallTimeout(optionsOf, new Limits());
    expect(limited('any')?.callTimeout).toBeUndefined();
  });

  it('[REQ-MCP-CONFIG] is set by the variable unless the server has its own', () => {
    const limits = new Limits({ variables: { MCP_INVOCATION_TIMEOUT_MS: '30000' }, chosen: {} });
    const limited = withCallTimeout(optionsOf, limits);
    expect(limited('any')?.callTimeout).toBe(30_000);
    expect(limited('any')).toBe(limited('any'));
    expect(limited('own')?.callTimeout).toBe(7);
    expect(limited('none')).toBeUndefined();
  });
});
