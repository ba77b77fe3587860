import { z } from 'zod';

/** A number that users can set: the environment variable wins, then the settings, then the default. */
export interface LimitField {
  /** Environment variable from the integration design. */
  readonly variable: string;
  readonly title: string;
  readonly unit: 'attempts' | 'ms' | 'factor' | 'failures' | 's' | 'calls' | 'min' | 'days';
  readonly default: number;
  readonly min: number;
  readonly max: number;
  readonly whole: boolean;
}

/** Parameters, variables and defaults of REQ-MCP-CONFIG. */
export const limitFields = {
  retryMaxAttempts: {
    variable: 'MCP_RETRY_MAX_ATTEMPTS',
    title: 'Retries for temporary failures',
    unit: 'attempts',
    default: 3,
    min: 1,
    max: 20,
    whole: true,
  },
  retryBaseMs: {
    variable: 'MCP_RETRY_BASE_MS',
    title: 'Wait before the first retry',
    unit: 'ms',
    default: 500,
    min: 0,
    max: 600_000,
    whole: true,
  },
  retryFactor: {
    variable: 'MCP_RETRY_FACTOR',
    title: 'Back-off factor',
    unit: 'factor',
    default: 2,
    min: 1,
    max: 10,
    whole: false,
  },
  retryMaxDelayMs: {
    variable: 'MCP_RETRY_MAX_DELAY_MS',
    title: 'Longest wait between retries',
    unit: 'ms',
    default: 30_000,
    min: 0,
    max: 3_600_000,
    whole: true,
  },
  circuitFailureThreshold: {
    variable: 'MCP_CIRCUIT_FAILURE_THRESHOLD',
    title: 'Failures in a row before pausing a tool',
    unit: 'failures',
    default: 5,
    min: 1,
    max: 1_000,
    whole: true,
  },
  circuitCooldown: {
    variable: 'MCP_CIRCUIT_COOLDOWN',
    title: 'Wait before trying again',
    unit: 's',
    default: 60,
    min: 1,
    max: 86_400,
    whole: true,
  },
  circuitHalfOpenMax: {
    variable: 'MCP_CIRCUIT_HALF_OPEN_MAX',
    title: 'Successful calls needed to resume',
    unit: 'calls',
    default: 3,
    min: 1,
    max: 100,
    whole: true,
  },
  tokenTtlMinutes: {
    variable: 'MCP_TOKEN_TTL_MINUTES',
    title: 'High-risk token lifetime',
    unit: 'min',
    default: 15,
    min: 1,
    max: 1_440,
    whole: true,
  },
  authCacheTtl: {
    variable: 'MCP_AUTH_CACHE_TTL',
    title: 'Remember access decisions for',
    unit: 'min',
    default: 5,
    min: 0,
    max: 1_440,
    whole: true,
  },
  invocationTimeoutMs: {
    variable: 'MCP_INVOCATION_TIMEOUT_MS',
    title: 'Call timeout',
    unit: 'ms',
    default: 30_000,
    min: 1,
    max: 86_400_000,
    whole: true,
  },
  auditRetentionDays: {
    variable: 'MCP_AUDIT_RETENTION_DAYS',
    title: 'Keep the audit log for',
    unit: 'days',
    default: 90,
    min: 1,
    max: 3_650,
    whole: true,
  },
} as const satisfies Readonly<Record<string, LimitField>>;

export type LimitName = keyof typeof limitFields;
export type LimitValues = Readonly<Record<LimitName, number>>;

// Object.keys returns string[]; the keys of this literal are exactly the names.
export const limitNames = Object.keys(limitFields) as readonly LimitName[];

/**
 * Numbers by name, as in `settings.json`. Each is validated where it is used, so that one bad number does not
 * affect the others.
 */
export const chosenLimitsSchema = z.record(z.string(), z.unknown());
export type ChosenLimits = Readonly<z.infer<typeof chosenLimitsSchema>>;

export const limitSources = ['variable', 'settings', 'default'] as const;

/** A limit for the settings screen. */
export const limitViewSchema = z.object({
  name: z.enum(limitNames as [LimitName, ...LimitName[]]),
  variable: z.string(),
  title: z.string(),
  unit: z.string(),
  /** The effective value. */
  value: z.number(),
  /** Source of the value. A variable overrides the setting. */
  source: z.enum(limitSources),
  default: z.number(),
  /** The value in the settings, effective or not. */
  chosen: z.number().optional(),
  min: z.number(),
  max: z.number(),
  whole: z.boolean(),
});
export type LimitView = Readonly<z.infer<typeof limitViewSchema>>;
