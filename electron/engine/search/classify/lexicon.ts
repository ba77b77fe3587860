import { Stems } from '../text/terms.ts';
import { wordsOf } from '../text/words.ts';
import type { TaxonomySkill } from './taxonomy.ts';

/** A word's vote for a skill. */
interface Vote {
  readonly skill: number;
  readonly weight: number;
}

/** Maps words and product names to skills. */
export interface SkillKeywords {
  readonly ids: readonly string[];
  readonly words: ReadonlyMap<string, readonly Vote[]>;
  /** Keyed by the product's words, joined by spaces. */
  readonly products: ReadonlyMap<string, readonly number[]>;
  readonly stems: Stems;
}

export function buildSkillKeywords(skills: readonly TaxonomySkill[]): SkillKeywords {
  const stems = new Stems();
  const words = new Map<string, Map<number, number>>();
  const products = new Map<string, number[]>();
  skills.forEach((skill, index) => {
    for (const [stem, weight] of votesOf(skill, stems)) {
      const votes = words.get(stem) ?? new Map<number, number>();
      words.set(stem, votes.set(index, Math.max(weight, votes.get(index) ?? 0)));
    }
    for (const product of skill.products.split(' ').filter(Boolean)) {
      const spoken = wordsOf(product)
        .map(({ text }) => text)
        .join(' ');
      products.set(spoken, [...(products.get(spoken) ?? []), index]);
    }
  });
  return {
    ids: skills.map(({ id }) => id),
    words: new Map([...words].map(([stem, votes]) => [stem, dampened(votes)])),
    products,
    stems,
  };
}

/** Uses the words of a skill's name and description too, with less weight than its chosen words. */
function votesOf(
  { words, name, description }: TaxonomySkill,
  stems: Stems,
): readonly (readonly [string, number])[] {
  const chosen = words.split(/\s+/).filter(Boolean);
  return [
    ...wordsOf(`${name} ${description}`)
      .filter(({ text }) => text.length > 3)
      .map(({ text }) => [stems.of(text), 0.5] as const),
    ...chosen.map((word) => {
      const weight = word.endsWith('!') ? 2 : word.endsWith('?') ? 0.5 : 1;
      return [stems.of(word.replace(/[!?]$/, '')), weight] as const;
    }),
  ];
}

/** Lowers the weight of words that vote for many skills. */
function dampened(votes: ReadonlyMap<number, number>): readonly Vote[] {
  const all = [...votes.values()].reduce((sum, weight) => sum + weight, 0);
  return [...votes].map(([skill, weight]) => ({ skill, weight: weight * Math.sqrt(weight / all) }));
}
