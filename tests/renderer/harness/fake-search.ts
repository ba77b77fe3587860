import type { IpcCallName, IpcInput, IpcOutput } from '../../../shared/ipc/contract.ts';
import type {
  FieldMatch,
  SearchHit,
  SearchQuery,
  SearchSettings,
  SemanticSearchState,
} from '../../../shared/model/search.ts';
import type { SkillSuggestion, SkillsView, ToolSkills } from '../../../shared/model/skill.ts';
import type { ToolSummary } from '../../../shared/model/tool.ts';
import { sampleOffers, sampleSkills, sampleSuggestions } from './sample-skills.ts';

type SearchCall = Extract<IpcCallName, `search.${string}` | `skill.${string}`>;
type SearchHandlers = { [N in SearchCall]: (input: IpcInput<N>) => IpcOutput<N> | Promise<IpcOutput<N>> };

/** A searchable item with its text. */
interface Entry {
  readonly hit: Omit<SearchHit, 'score' | 'matched'>;
  readonly text: string;
}

/** Fakes a search that matches exact words, and skills by the names of tools. */
export function fakeSearch(
  tools: () => readonly ToolSummary[],
  push: (view: SkillsView) => void,
  pushMeaning: (state: SemanticSearchState) => void,
): SearchHandlers {
  let settings: SearchSettings = { classifier: { kind: 'rules' }, meaning: { kind: 'off' } };
  let meaning: SemanticSearchState = { kind: 'off' };
  const tellMeaning = (state: SemanticSearchState) => {
    meaning = state;
    pushMeaning(state);
  };
  const decided = new Map<string, 'accept' | 'dismiss'>();
  const corrected = new Map<string, readonly string[]>();
  const skillsOf = (tool: ToolSummary) => sampleSkillsOf(tool, corrected);
  const entries = kept(tools, (list) => [
    ...list.map((tool) => entryOf(tool, skillsOf(tool))),
    ...(list.length === 0 ? [] : sampleOffers).map((hit) => ({ hit, text: textOf(hit) })),
  ]);
  const view = (progress?: SkillsView['progress']): SkillsView =>
    viewOf(tools(), skillsOf, decided, progress);
  const changed = () => {
    entries.forget();
    push(view());
    return undefined;
  };
  return {
    'search.find': (query) => find(entries.of(), query, new Set(tools().map((one) => one.serverKey)).size),
    'search.settings': () => settings,
    'search.configure': (next) => {
      settings = next;
      if (next.meaning.kind !== 'off') learn(tellMeaning);
      return undefined;
    },
    'search.meaning': () => meaning,
    'search.test': () => ({ milliseconds: 184 }),
    'skill.view': () => view(),
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
    'skill.decide': ({ suggestion, decision }) => {
      if (decision === 'reopen') decided.delete(suggestion);
      else decided.set(suggestion, decision);
      return changed();
    },
    'skill.reclassify': () => {
      const total = tools().length;
      push(view({ done: Math.floor(total / 3), total }));
      setTimeout(changed, 1500);
      return undefined;
    },
  };
}

/** Simulates a model that computes vectors. */
function learn(push: (state: SemanticSearchState) => void): void {
  push({ kind: 'learning', known: 0, total: 440 });
  setTimeout(() => push({ kind: 'learning', known: 192, total: 440 }), 400);
  setTimeout(() => push({ kind: 'ready', known: 440, total: 440 }), 2500);
}

/** Caches a value derived from all tools, once per list. */
function kept<T>(tools: () => readonly ToolSummary[], make: (list: readonly ToolSummary[]) => T) {
  let made: { readonly of: readonly ToolSummary[]; readonly value: T } | undefined;
  return {
    of(): T {
      const list = tools();
      if (made?.of !== list) made = { of: list, value: make(list) };
      return made.value;
    },
    forget(): void {
      made = undefined;
    },
  };
}

function sampleSkillsOf(
  { serverKey, name }: ToolSummary,
  corrected: ReadonlyMap<string, readonly string[]>,
): ToolSkills {
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
}

function viewOf(
  tools: readonly ToolSummary[],
  skillsOf: (tool: ToolSummary) => ToolSkills,
  decided: ReadonlyMap<string, 'accept' | 'dismiss'>,
  progress: SkillsView['progress'],
): SkillsView {
  const all = tools.map(skillsOf);
  const count = (id: string) => all.filter(({ skills }) => skills.some((share) => share.id === id)).length;
  const own = ({ id, name, description, tools: given }: SkillSuggestion) => ({
    id,
    name,
    description,
    own: true as const,
    tools: given.length,
  });
  const accepted = sampleSuggestions.filter(({ id }) => decided.get(id) === 'accept');
  const suggestions = tools.length === 0 ? [] : sampleSuggestions.filter(({ id }) => !decided.has(id));
  return {
    skills: [
      ...sampleSkills.map(({ words: _words, ...skill }) => ({ ...skill, tools: count(skill.id) })),
      ...accepted.map(own),
    ],
    unclassified: all.filter(({ isClassified }) => !isClassified).length,
    suggestions,
    ...(progress === undefined ? {} : { progress }),
  };
}

function find(
  entries: readonly Entry[],
  { query, limit, servers, skills, kinds, risks, enabledOnly }: SearchQuery,
  serverCount: number,
): IpcOutput<'search.find'> {
  const words = query
    .toLowerCase()
    .split(/[^\w-]+/)
    .filter(Boolean);
  const found = entries.filter(
    ({ hit, text }) =>
      words.every((word) => text.includes(word)) &&
      (servers?.includes(hit.serverKey) ?? true) &&
      (kinds?.includes(hit.kind) ?? true) &&
      (risks?.includes(hit.risk) ?? true) &&
      (hit.enabled || enabledOnly !== true) &&
      (skills?.some((id) => hit.skills.some((share) => share.id === id)) ?? true),
  );
  const ranked = found
    .map(({ hit }) => ({ hit, score: scoreOf(hit.name.toLowerCase(), words) }))
    .sort((one, other) => other.score - one.score)
    .slice(0, limit);
  return {
    hits: ranked.map(({ hit, score }) => ({ ...hit, score, matched: matchedOf(hit, words) })),
    total: found.length,
    searched: { servers: serverCount, tools: entries.length },
    meaning: 'off',
  };
}

function scoreOf(name: string, words: readonly string[]): number {
  if (name === words[0]) return 1;
  return words.some((word) => name.includes(word)) ? 0.9 : 0.4;
}

function matchedOf(hit: Entry['hit'], words: readonly string[]): readonly FieldMatch[] {
  const parameters = 'owner repo state labels';
  const matches: readonly FieldMatch[] = [
    { field: 'name', ranges: rangesIn(hit.name, words) },
    { field: 'server', ranges: rangesIn(hit.serverKey, words) },
    { field: 'description', ranges: rangesIn(hit.description ?? '', words) },
    { field: 'parameter', text: parameters, ranges: hit.kind === 'tool' ? rangesIn(parameters, words) : [] },
    ...hit.skills.map(({ id }): FieldMatch => {
      const text = sampleSkills.find((skill) => skill.id === id)?.name ?? id;
      return { field: 'skill', text, ranges: rangesIn(text, words) };
    }),
  ];
  return matches.filter(({ ranges }) => ranges.length > 0);
}

function entryOf(tool: ToolSummary, known: ToolSkills): Entry {
  const { serverKey, name, title, description, enabled, held } = tool;
  const { isClassified, skills, primarySkill } = known;
  const hit: Entry['hit'] = {
    kind: 'tool',
    serverKey,
    name,
    enabled: enabled && held !== true,
    risk: tool.readOnly ? 'read-only' : tool.destructive ? 'destructive' : 'unstated',
    isClassified,
    skills,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(primarySkill === undefined ? {} : { primarySkill }),
  };
  return { hit, text: textOf(hit) };
}

function textOf({ kind, serverKey, name, title = '', description = '', skills }: Entry['hit']): string {
  const named = skills.map(({ id }) => sampleSkills.find((skill) => skill.id === id)?.name ?? '').join(' ');
  const parameters = kind === 'tool' ? 'owner repo state labels' : '';
  return `${serverKey} ${name} ${title} ${description} ${named} ${parameters}`.toLowerCase();
}

function rangesIn(text: string, words: readonly string[]): [number, number][] {
  const lower = text.toLowerCase();
  const ranges = words
    .map((word): [number, number] => [lower.indexOf(word), lower.indexOf(word) + word.length])
    .filter(([from]) => from >= 0)
    .sort(([one], [other]) => one - other);
  return ranges.filter(([from], index) => from >= (ranges[index - 1]?.[1] ?? 0));
}
