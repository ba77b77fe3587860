import type { KnownSkill, SearchDocument, SuggestedSkill, ToolAnswer, ToolClassifier } from '../contract.ts';
import { spoken } from '../index/segment.ts';
import { classifyByRules } from './classify.ts';
import { buildSkillKeywords, type SkillKeywords } from './lexicon.ts';
import { fallbackSkill, taxonomy } from './taxonomy.ts';

/** Must change with the rules, so that all tools are classified again. */
export const ruleTag = 'rules 3';

/** Builds the lexicon; custom skills only have the words of their names. */
export function skillKeywordsWith(
  own: readonly { readonly id: string; readonly name: string }[],
): SkillKeywords {
  const added = own.map(({ id, name }) => {
    const words = name.split(/\s+/).map((word) => `${word.toLowerCase()}!`);
    return { id, name, description: '', words: words.join(' '), products: '' };
  });
  return buildSkillKeywords([...taxonomy, ...added]);
}

/** Classifies by words, without a model: the same texts always get the same answer. */
export function ruleClassifier(): ToolClassifier {
  let lexicon: SkillKeywords | undefined;
  let builtFor = '';
  const lexiconFor = (own: readonly KnownSkill[]) => {
    const names = JSON.stringify(own.map(({ id, name }) => [id, name]));
    if (lexicon === undefined || names !== builtFor) lexicon = skillKeywordsWith(own);
    builtFor = names;
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
      return { tools: answers, ideas: suggestionsFor(serverKey, wanted, answers) };
    },
  };
}

/**
 * Suggests a new skill if the rules can only guess for most tools of a server: its topic is probably missing
 * from the list.
 */
function suggestionsFor(
  serverKey: string,
  wanted: readonly SearchDocument[],
  answers: ReadonlyMap<string, ToolAnswer>,
): readonly SuggestedSkill[] {
  const unclear = wanted.filter(({ name }) => {
    const [first] = answers.get(name)?.skills ?? [];
    return first === undefined || first.id === fallbackSkill || first.confidence < maxUnclearConfidence;
  });
  if (unclear.length < minUnclearTools || unclear.length < wanted.length * minUnclearShare) return [];
  const name = spoken(serverKey).replace(/^\p{L}/u, (letter) => letter.toUpperCase());
  const tools = unclear.map((tool) => tool.name);
  return [{ name, description: `Tools of ${serverKey}, such as ${tools.slice(0, 3).join(', ')}.`, tools }];
}

const maxUnclearConfidence = 0.4;
const minUnclearTools = 3;
const minUnclearShare = 0.6;
