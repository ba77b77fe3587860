import type { IpcCallName, IpcInput, IpcOutput } from '../../../shared/ipc/contract.ts';
import type { FieldMatch, SearchHit, SearchSettings } from '../../../shared/model/search.ts';
import type { SkillsView, ToolSkills } from '../../../shared/model/skill.ts';
import type { ToolSummary } from '../../../shared/model/tool.ts';

type SearchCall = Extract<IpcCallName, `search.${string}` | `skill.${string}`>;
type SearchHandlers = { [N in SearchCall]: (input: IpcInput<N>) => IpcOutput<N> };

/** A search that looks for words as they are written, and skills by the names of tools. */
export function fakeSearch(
  tools: () => readonly ToolSummary[],
  push: (view: SkillsView) => void,
): SearchHandlers {
  let settings: SearchSettings = { classifier: { kind: 'rules' }, meaning: { kind: 'off' } };
  let suggestions = sampleSuggestions;
  const corrected = new Map<string, readonly string[]>();
  const skillsOf = ({ serverKey, name }: ToolSummary): ToolSkills => {
    const chosen = corrected.get(`${serverKey}:${name}`);
    const ids = chosen ?? sampleSkills.filter(({ words }) => words.test(name)).map(({ id }) => id);
    const shares = ids.slice(0, 3).map((id, index) => ({ id, confidence: chosen ? 1 : 0.86 - index * 0.3 }));
    return {
      serverKey,
      name,
      isClassified: ids.length > 0,
      skills: shares,
      ...(shares[0] === undefined ? {} : { primarySkill: shares[0].id }),
      by: chosen ? 'person' : ids.length > 0 ? 'rules' : 'nobody',
    };
  };
  const view = (): SkillsView => {
    const all = tools().map(skillsOf);
    const count = (id: string) => all.filter(({ skills }) => skills.some((share) => share.id === id)).length;
    return {
      skills: sampleSkills.map(({ words: _words, ...skill }) => ({ ...skill, tools: count(skill.id) })),
      unclassified: all.filter(({ isClassified }) => !isClassified).length,
      suggestions,
    };
  };
  const changed = () => void push(view());
  return {
    'search.find': ({ query, limit, servers, skills }) => {
      const words = query.toLowerCase().split(/\W+/).filter(Boolean);
      const hits = tools()
        .filter(({ serverKey }) => servers?.includes(serverKey) ?? true)
        .map((tool) => hitOf(tool, skillsOf(tool), words))
        .filter((hit) => skills?.some((id) => hit.skills.some((share) => share.id === id)) ?? true)
        .filter(({ matched }) => words.length === 0 || matched.length > 0)
        .sort((one, other) => other.score - one.score);
      const searched = {
        servers: new Set(tools().map(({ serverKey }) => serverKey)).size,
        tools: tools().length,
      };
      return { hits: hits.slice(0, limit), total: hits.length, searched, meaning: 'off' };
    },
    'search.settings': () => settings,
    'search.configure': (next) => {
      settings = next;
      return undefined;
    },
    'skill.view': view,
    'skill.tools': ({ skill, servers }) => ({
      tools: tools()
        .map(skillsOf)
        .filter(({ serverKey }) => servers?.includes(serverKey) ?? true)
        .filter(({ skills }) => skill === undefined || skills.some(({ id }) => id === skill)),
    }),
    'skill.correct': ({ serverKey, name, skills }) => {
      corrected.set(`${serverKey}:${name}`, skills);
      return changed();
    },
    'skill.release': ({ serverKey, name }) => {
      corrected.delete(`${serverKey}:${name}`);
      return changed();
    },
    'skill.decide': ({ suggestion }) => {
      suggestions = suggestions.filter(({ id }) => id !== suggestion);
      return changed();
    },
    'skill.reclassify': changed,
  };
}

function hitOf(tool: ToolSummary, known: ToolSkills, words: readonly string[]): SearchHit {
  const { serverKey, name, title, description, enabled } = tool;
  const matched: FieldMatch[] = [
    { field: 'name' as const, ranges: rangesIn(name, words) },
    { field: 'description' as const, ranges: rangesIn(description ?? '', words) },
  ].filter(({ ranges }) => ranges.length > 0);
  const score = matched.some(({ field }) => field === 'name') ? 0.9 : matched.length > 0 ? 0.4 : 0;
  const { isClassified, skills, primarySkill } = known;
  return {
    kind: 'tool',
    serverKey,
    name,
    enabled,
    risk: tool.readOnly ? 'read-only' : tool.destructive ? 'destructive' : 'unstated',
    score,
    matched,
    isClassified,
    skills,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(primarySkill === undefined ? {} : { primarySkill }),
  };
}

function rangesIn(text: string, words: readonly string[]): [number, number][] {
  const lower = text.toLowerCase();
  return words
    .map((word): [number, number] => [lower.indexOf(word), lower.indexOf(word) + word.length])
    .filter(([from]) => from >= 0)
    .sort(([one], [other]) => one - other);
}

const sampleSkills = [
  {
    id: 'issue-tracking',
    name: 'Issue tracking',
    description: 'Issues, tickets and tasks of a team.',
    words: /issue|ticket/,
  },
  {
    id: 'code-hosting',
    name: 'Code hosting',
    description: 'Repositories, branches, reviews.',
    words: /pull|repo|branch|commit/,
  },
  { id: 'files', name: 'Files and folders', description: 'Files of this machine.', words: /file|director/ },
  {
    id: 'web-browsing',
    name: 'Web browsing',
    description: 'Pages in a browser.',
    words: /page|browser|click/,
  },
] as const;

const sampleSuggestions: SkillsView['suggestions'] = [
  {
    id: 'suggestion-1',
    name: 'Invoicing',
    description: 'Invoices and who has paid them.',
    tools: [
      { serverKey: 'stripe', name: 'create_invoice' },
      { serverKey: 'stripe', name: 'list_invoices' },
    ],
    by: 'model',
  },
];
