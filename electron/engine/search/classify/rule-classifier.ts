import type { KnownSkill, SearchDocument, SkillIdea, ToolAnswer, ToolClassifier } from '../contract.ts';
import { spoken } from '../index/segment.ts';
import { classifyByRules } from './classify.ts';
import { buildLexicon, type Lexicon } from './lexicon.ts';
import { fallbackSkill, taxonomy } from './taxonomy.ts';

/** Must change with the rules, so that all tools are classified again. */
export const ruleTag = 'rules 3';

/** Builds the lexicon; custom skills only have the words of their names. */
export function lexiconWith(own: readonly { readonly id: string; readonly name: string }[]): Lexicon {
  const added = own.map(({ id, name }) => {
    const words = name.split(/\s+/).map((word) => `${word.toLowerCase()}!`);
    return { id, name, description: '', words: words.join(' '), products: '' };
  });
  return buildLexicon([...taxonomy, ...added]);
}

/** Classifies by words, without a model: the same texts always get the same answer. */
export function ruleClassifier(): ToolClassifier {
  let lexicon: Lexicon | undefined;
  let made = '';
  const lexiconFor = (own: readonly KnownSkill[]) => {
    const names = JSON.stringify(own.map(({ id, name }) => [id, name]));
    if (lexicon === undefined || names !== made) lexicon = lexiconWith(own);
    made = names;
    return lexicon;
  };
  return {
    by: 'rules',
    tag: ruleTag,
    atOnce: Number.POSITIVE_INFINITY,
    classify: async (serverKey, tools, wanted, skills) => {
      const lexicon = lexiconFor(skills.filter(({ own }) => own));
      const found = classifyByRules(serverKey, tools, lexicon);
      const asked = new Set(wanted.map(({ name }) => name));
      const answers = new Map<string, ToolAnswer>();
      tools.forEach(({ name }, index) => {
        if (asked.has(name)) answers.set(name, { skills: found[index]?.skills ?? [], keywords: [] });
      });
      return { tools: answers, ideas: ideasFor(serverKey, wanted, answers) };
    },
  };
}

/**
 * Suggests a new skill if the rules can only guess for most tools of a server: its topic is probably missing
 * from the list.
 */
function ideasFor(
  serverKey: string,
  wanted: readonly SearchDocument[],
  answers: ReadonlyMap<string, ToolAnswer>,
): readonly SkillIdea[] {
  const unclear = wanted.filter(({ name }) => {
    const [first] = answers.get(name)?.skills ?? [];
    return first === undefined || first.id === fallbackSkill || first.confidence < unsure;
  });
  if (unclear.length < fewest || unclear.length < wanted.length * most) return [];
  const name = spoken(serverKey).replace(/^\p{L}/u, (letter) => letter.toUpperCase());
  const tools = unclear.map((tool) => tool.name);
  return [{ name, description: `Tools of ${serverKey}, such as ${tools.slice(0, 3).join(', ')}.`, tools }];
}

const unsure = 0.4;
const fewest = 3;
const most = 0.6;
