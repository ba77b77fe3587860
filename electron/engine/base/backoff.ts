export interface BackoffOptions {
  /** Milliseconds before the first retry. */
  readonly initial: number;
  /** Upper bound of one wait, in milliseconds. */
  readonly max: number;
  readonly factor: number;
  /** Random share of the delay, 0 to 1: 0.2 means 20 % more or less. */
  readonly jitter: number;
}

/** Returns the milliseconds to wait before retry number `attempt` (from 0). `random` yields 0 to 1. */
export function backoffDelay(
  options: BackoffOptions,
  attempt: number,
  random: () => number = Math.random,
): number {
  const base = Math.min(options.max, options.initial * options.factor ** attempt);
  const spread = base * options.jitter;
  return Math.round(base - spread + 2 * spread * random());
}
