import type { KnownSkill, SearchDocument, SkillIdea, ToolAnswer, ToolClassifier } from '../contract.ts';
import { spoken } from '../index/segment.ts';
import { classifyByRules } from './classify.ts';
import { buildLexicon, type Lexicon } from './lexicon.ts';
import { otherSkill, taxonomy } from './taxonomy.ts';

/** Changes whenever the rules do, so that everything is classified by them anew. */
export const ruleTag = 'rules 2';

/** The words that skills are known by; those made by people are known by what they are called. */
export function lexiconWith(own: readonly { readonly id: string; readonly name: string }[]): Lexicon {
  const added = own.map(({ id, name }) => {
    const words = name.split(/\s+/).map((word) => `${word.toLowerCase()}!`);
    return { id, name, description: '', words: words.join(' '), products: '' };
  });
  return buildLexicon([...taxonomy, ...added]);
}

/** Classifies by words, without asking anybody: the same answer for the same texts everywhere. */
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

/** Where the rules can only guess at most of what a server offers, it is probably about something that is not in the list. */
function ideasFor(
  serverKey: string,
  wanted: readonly SearchDocument[],
  answers: ReadonlyMap<string, ToolAnswer>,
): readonly SkillIdea[] {
  const unclear = wanted.filter(({ name }) => {
    const [first] = answers.get(name)?.skills ?? [];
    return first === undefined || first.id === otherSkill || first.confidence < unsure;
  });
  if (unclear.length < fewest || unclear.length < wanted.length * most) return [];
  const name = spoken(serverKey).replace(/^\p{L}/u, (letter) => letter.toUpperCase());
  const tools = unclear.map((tool) => tool.name);
  return [{ name, description: `What ${serverKey} offers, such as ${tools.slice(0, 3).join(', ')}.`, tools }];
}

const unsure = 0.4;
const fewest = 3;
const most = 0.6;
