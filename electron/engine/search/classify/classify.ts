import { maxSkills, primaryConfidence, type SkillShare } from '../../../../shared/model/tool/skill.ts';
import type { SearchDocument } from '../contract.ts';
import { termsOf } from '../text/terms.ts';
import { wordsOf } from '../text/words.ts';
import type { SkillKeywords } from './skill-keywords.ts';
import { fallbackSkill } from './taxonomy.ts';

/** Evidence for an answer. */
interface Evidence {
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
function confidenceOf(evidence: Evidence): number {
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

/** The skills of a tool, most confident first. */
export interface Classification {
  readonly skills: readonly SkillShare[];
  readonly primarySkill: string | undefined;
}

/** Classifies the tools of one server together: the server's topic counts for each of them. */
export function classifyByRules(
  serverKey: string,
  tools: readonly SearchDocument[],
  lexicon: SkillKeywords,
): readonly Classification[] {
  const own = tools.map((tool) => votesFor(tool, lexicon));
  const context = contextOf(serverKey, own, lexicon);
  return own.map((votes) => classified(ranked(votes, context), lexicon.ids));
}

/** Returns the skills that a text is about, the clearest with 1. */
export function skillsOfText(text: string, lexicon: SkillKeywords): ReadonlyMap<string, number> {
  const votes = new Float64Array(lexicon.ids.length);
  addVotes(votes, text, 1, lexicon);
  const highest = Math.max(...votes);
  if (highest < minTextVotes) return new Map();
  return new Map(
    [...votes].flatMap((vote, skill) =>
      vote > highest * near ? [[lexicon.ids[skill] ?? '', vote / highest] as const] : [],
    ),
  );
}

/** Minimum votes for a text to be about a skill. */
const minTextVotes = 1.2;

/** Share of the highest votes from which a text is about another skill too. */
const near = 0.3;

/** Returns at most three answers with their confidence; the first may be a guess. */
function classified(answers: readonly Evidence[], ids: readonly string[]): Classification {
  const skills = answers
    .slice(0, maxSkills)
    .map((evidence) => ({ id: ids[evidence.skill] ?? fallbackSkill, confidence: confidenceOf(evidence) }))
    .filter(({ confidence }, index) => index === 0 || confidence >= minFurtherConfidence);
  const sorted = skills.sort((one, other) => other.confidence - one.confidence);
  const first = sorted[0] ?? { id: fallbackSkill, confidence: otherConfidence };
  return {
    skills: sorted.length > 0 ? sorted : [first],
    primarySkill: first.confidence >= primaryConfidence ? first.id : undefined,
  };
}

/** Confidence when nothing has votes. */
const otherConfidence = 0.1;

/** Minimum confidence of a second and third answer. */
const minFurtherConfidence = 0.3;

/** Exported for the evaluation, which fits the confidence. */
export function evidenceFor(
  serverKey: string,
  tools: readonly SearchDocument[],
  lexicon: SkillKeywords,
): readonly (readonly Evidence[])[] {
  const own = tools.map((tool) => votesFor(tool, lexicon));
  const context = contextOf(serverKey, own, lexicon);
  return own.map((votes) => ranked(votes, context));
}

function votesFor(
  { name, title, description, parameters }: SearchDocument,
  lexicon: SkillKeywords,
): Float64Array {
  const votes = new Float64Array(lexicon.ids.length);
  addVotes(votes, name, 1.6, lexicon);
  addVotes(votes, title ?? '', 0.8, lexicon);
  addVotes(votes, (description ?? '').slice(0, maxDescriptionLength), 1, lexicon);
  addVotes(votes, parameters, 0.35, lexicon);
  return votes;
}

/** Characters of a description that count: later text is mostly examples and warnings. */
const maxDescriptionLength = 300;

function addVotes(votes: Float64Array, text: string, factor: number, lexicon: SkillKeywords): void {
  const seen = new Set<string>();
  const terms = termsOf(text, lexicon.stems);
  for (const [from, { stem }] of terms.entries()) {
    let phrase = stem;
    for (let next = from + 1; ; next += 1) {
      const known = seen.has(phrase) ? undefined : lexicon.words.get(phrase);
      seen.add(phrase);
      for (const { skill, weight } of known ?? []) votes[skill] = (votes[skill] ?? 0) + factor * weight;
      if (next === terms.length || !lexicon.beginnings.has(phrase)) break;
      phrase += ` ${terms[next]?.stem}`;
    }
  }
}

interface Context {
  /** Share of each skill over the server's tools; the highest is 1. */
  readonly shares: Float64Array;
  /** Skills that the server's name stands for. */
  readonly named: ReadonlySet<number>;
}

function contextOf(serverKey: string, own: readonly Float64Array[], lexicon: SkillKeywords): Context {
  const named = new Set(productsIn(serverKey, lexicon));
  const shares = new Float64Array(lexicon.ids.length);
  addVotes(shares, serverKey, own.length * 0.25, lexicon);
  for (const votes of own) {
    const all = votes.reduce((sum, vote) => sum + vote, 0);
    if (all > 0)
      for (let skill = 0; skill < votes.length; skill += 1) add(shares, skill, (votes[skill] ?? 0) / all);
  }
  for (const skill of named) add(shares, skill, own.length * 0.35);
  // A server name alone is weak evidence if its tools have no votes.
  const highest = Math.max(...shares, own.length * minContext);
  if (highest > 0)
    for (let skill = 0; skill < shares.length; skill += 1) shares[skill] = (shares[skill] ?? 0) / highest;
  return { shares, named };
}

/** Finds products named in a key by whole words, longest first. */
function productsIn(serverKey: string, { products }: SkillKeywords): readonly number[] {
  const words = wordsOf(serverKey).map(({ text }) => text);
  for (let length = words.length; length > 0; length -= 1)
    for (let from = 0; from + length <= words.length; from += 1) {
      const found = products.get(words.slice(from, from + length).join(''));
      if (found !== undefined) return found;
    }
  return [];
}

function ranked(votes: Float64Array, { shares, named }: Context): readonly Evidence[] {
  const points = votes.map((vote, skill) => {
    const context = shares[skill] ?? 0;
    return (
      vote * (0.55 + 0.9 * context) + contextPoints * context * context + (named.has(skill) ? namedPoints : 0)
    );
  });
  const order = [...points.keys()]
    .filter((skill) => (points[skill] ?? 0) > 0)
    .sort((one, other) => (points[other] ?? 0) - (points[one] ?? 0))
    .slice(0, maxSkills + 1);
  const all = points.reduce((sum, point) => sum + point, 0);
  const top = points[order[0] ?? 0] ?? 0;
  return order.slice(0, maxSkills).map((skill, rank) => {
    const own = points[skill] ?? 0;
    const rival = rank === 0 ? (points[order[1] ?? -1] ?? 0) : top;
    return {
      skill,
      rank,
      share: own / all,
      lead: own / (own + rival),
      strength: Math.log1p(own),
      context: shares[skill] ?? 0,
    };
  });
}

const contextPoints = 0.9;
const minContext = 0.25;
const namedPoints = 0.5;

function add(numbers: Float64Array, index: number, value: number): void {
  numbers[index] = (numbers[index] ?? 0) + value;
}
