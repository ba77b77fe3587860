/** Evidence for an answer. */
export interface Evidence {
  readonly skill: number;
  /** 0 for the first answer. */
  readonly rank: number;
  /** Share of all votes. */
  readonly share: number;
  /** Lead over the strongest rival, 0 to 1. */
  readonly lead: number;
  readonly strength: number;
  /** How much the whole server is about this skill. */
  readonly context: number;
}

/** Fitted by `npm run eval:classify -- --fit`: how often answers with such evidence were right. */
const fitted = {
  constant: -3.493,
  first: 0.146,
  share: 0.574,
  lead: 1.29,
  strength: 0.881,
  context: 3.116,
} as const;

/**
 * Returns the probability that an answer is right. Lowers it for very weak evidence, where having no rival
 * means little.
 */
export function confidenceOf(evidence: Evidence): number {
  const sum = Object.entries(features(evidence)).reduce(
    (all, [name, value]) => all + value * weightOf(name),
    0,
  );
  return logistic(sum) * Math.min(1, evidence.strength / minStrength);
}

/** Minimum strength for which the fit is reliable. */
const minStrength = 0.8;

/** Features of the fit. */
export function features({
  rank,
  share,
  lead,
  strength,
  context,
}: Evidence): Readonly<Record<keyof typeof fitted, number>> {
  return { constant: 1, first: rank === 0 ? 1 : 0, share, lead, strength, context };
}

function weightOf(name: string): number {
  return fitted[name as keyof typeof fitted];
}

export function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
