import type { MatchField } from '../../../../shared/model/search.ts';

interface FieldWeight {
  readonly weight: number;
  /** Typical number of words in this field. */
  readonly typicalLength: number;
  /** Influence of the field's length, 0 to 1. */
  readonly lengthInfluence: number;
}

/** Weights of the fields; tuned on the dev half of the evaluation, see docs/search.md. */
export const fieldWeights: Readonly<Record<MatchField, FieldWeight>> = {
  name: { weight: 3.3, typicalLength: 3, lengthInfluence: 0.35 },
  title: { weight: 2, typicalLength: 3, lengthInfluence: 0.4 },
  server: { weight: 1.4, typicalLength: 1.5, lengthInfluence: 0.3 },
  description: { weight: 1, typicalLength: 14, lengthInfluence: 0.5 },
  keyword: { weight: 1.2, typicalLength: 10, lengthInfluence: 0.4 },
  parameter: { weight: 0.5, typicalLength: 4, lengthInfluence: 0.5 },
  skill: { weight: 0.6, typicalLength: 3, lengthInfluence: 0.3 },
};

/** BM25 saturation: how soon repeated words stop adding weight. */
export const saturation = 2;
