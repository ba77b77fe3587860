import type { MatchField } from '../../../../shared/model/search.ts';

interface FieldWeight {
  readonly weight: number;
  /** Typical number of words in this field. */
  readonly usual: number;
  /** Influence of the field's length, 0 to 1. */
  readonly length: number;
}

/** Weights of the fields; tuned on the dev half of the evaluation, see docs/search.md. */
export const fieldWeights: Readonly<Record<MatchField, FieldWeight>> = {
  name: { weight: 3.3, usual: 3, length: 0.35 },
  title: { weight: 2, usual: 3, length: 0.4 },
  server: { weight: 1.4, usual: 1.5, length: 0.3 },
  description: { weight: 1, usual: 14, length: 0.5 },
  keyword: { weight: 1.2, usual: 10, length: 0.4 },
  parameter: { weight: 0.5, usual: 4, length: 0.5 },
  skill: { weight: 0.6, usual: 3, length: 0.3 },
};

/** BM25 saturation: how soon repeated words stop adding weight. */
export const saturation = 2;
