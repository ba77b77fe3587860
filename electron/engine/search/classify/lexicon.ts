import { Stems, termsOf } from '../text/terms.ts';
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
  /** Keyed by stem, or by several stems joined by spaces. */
  readonly words: ReadonlyMap<string, readonly Vote[]>;
  /** Beginnings of the phrases among the words. */
  readonly beginnings: ReadonlySet<string>;
  /** Keyed by the product's words, joined. */
  readonly products: ReadonlyMap<string, readonly number[]>;
  readonly stems: Stems;
}

export function buildSkillKeywords(skills: readonly TaxonomySkill[]): SkillKeywords {
  const stems = new Stems();
  const words = new Map<string, Map<number, number>>();
  const products = new Map<string, number[]>();
  const vote = (phrase: string, skill: number, weight: number) => {
    const votes = words.get(phrase) ?? new Map<number, number>();
    words.set(phrase, votes.set(skill, Math.max(weight, votes.get(skill) ?? 0)));
  };
  skills.forEach((skill, index) => {
    for (const [phrase, weight] of votesOf(skill, stems)) vote(phrase, index, weight);
    for (const product of listed(skill.products)) {
      const name = product.replace(/\?$/, '');
      const joined = wordsOf(name)
        .map(({ text }) => text)
        .join('');
      products.set(joined, [...(products.get(joined) ?? []), index]);
      if (name === product) vote(phraseOf(name, stems), index, productWeight);
    }
  });
  return {
    ids: skills.map(({ id }) => id),
    beginnings: new Set([...words.keys()].flatMap(beginningsOf)),
    words: new Map([...words].map(([phrase, votes]) => [phrase, dampened(votes)])),
    products,
    stems,
  };
}

const productWeight = 2.5;

/** Uses the words of a skill's name and description too, with less weight than its chosen words. */
function votesOf(
  { words, name, description }: TaxonomySkill,
  stems: Stems,
): readonly (readonly [string, number])[] {
  return [
    ...wordsOf(`${name} ${description}`)
      .filter(({ text }) => text.length > 3)
      .map(({ text }) => [stems.of(text), 0.5] as const),
    ...listed(words).map((word) => {
      const weight = word.endsWith('!') ? 2 : word.endsWith('?') ? 0.5 : 1;
      return [phraseOf(word.replace(/[!?]$/, ''), stems), weight] as const;
    }),
  ];
}

function phraseOf(text: string, stems: Stems): string {
  return termsOf(text, stems)
    .map(({ stem }) => stem)
    .join(' ');
}

function beginningsOf(phrase: string): readonly string[] {
  const stems = phrase.split(' ');
  return stems.slice(1).map((_, index) => stems.slice(0, index + 1).join(' '));
}

function listed(text: string): readonly string[] {
  return text.split(/\s+/).filter(Boolean);
}

/** Lowers the weight of words that vote for many skills. */
function dampened(votes: ReadonlyMap<number, number>): readonly Vote[] {
  const all = [...votes.values()].reduce((sum, weight) => sum + weight, 0);
  return [...votes].map(([skill, weight]) => ({ skill, weight: weight * Math.sqrt(weight / all) }));
}
