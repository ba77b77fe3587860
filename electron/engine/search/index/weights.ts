import type { MatchField } from '../../../../shared/model/search.ts';

interface FieldWeight {
  readonly weight: number;
  /** Words that such a field usually has. */
  readonly usual: number;
  /** How much its length counts, 0 to 1. */
  readonly length: number;
}

/** What a word counts by where it stands; tuned on the dev half of the evaluation, see docs/search.md. */
export const fieldWeights: Readonly<Record<MatchField, FieldWeight>> = {
  name: { weight: 3.6, usual: 3, length: 0.35 },
  title: { weight: 2, usual: 3, length: 0.4 },
  server: { weight: 1.1, usual: 1.5, length: 0.3 },
  description: { weight: 1, usual: 14, length: 0.3 },
  keyword: { weight: 1.2, usual: 10, length: 0.4 },
  parameter: { weight: 0.5, usual: 4, length: 0.5 },
  skill: { weight: 0.6, usual: 3, length: 0.3 },
};

/** Of BM25: how soon more of the same word says nothing more. */
export const saturation = 2;
