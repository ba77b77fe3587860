import type { Decision } from '../../../../shared/model/skill.ts';
import { digestOf } from '../../base/digest.ts';
import type { ClassifierAnswer, SkillStorage, StoredSuggestion } from '../contract.ts';

/** Skills suggested by classifiers, and the decisions on them. */
export class SkillSuggestions {
  readonly #suggestions = new Map<string, StoredSuggestion>();
  readonly #keeper: Pick<SkillStorage, 'saveSuggestion'>;

  constructor(keeper: Pick<SkillStorage, 'saveSuggestion'>) {
    this.#keeper = keeper;
  }

  fill(suggestions: readonly StoredSuggestion[]): void {
    for (const suggestion of suggestions) this.#suggestions.set(suggestion.id, suggestion);
  }

  in(state: StoredSuggestion['state']): readonly StoredSuggestion[] {
    return [...this.#suggestions.values()].filter((suggestion) => suggestion.state === state);
  }

  /** Returns the suggestion if this decision is possible; otherwise undefined. */
  decidable(id: string, decision: Decision): StoredSuggestion | undefined {
    const suggestion = this.#suggestions.get(id);
    const isOpen = suggestion?.state === 'open';
    return isOpen === (decision === 'reopen') ? undefined : suggestion;
  }

  decide(suggestion: StoredSuggestion, decision: Decision): void {
    this.#put({ ...suggestion, state: states[decision] });
  }

  /** Never repeats a decided suggestion. */
  add(
    serverKey: string,
    { name, description, tools }: ClassifierAnswer['ideas'][number],
    by: StoredSuggestion['by'],
  ): void {
    const id = `own-${digestOf(name.toLowerCase()).slice(0, 12)}`;
    const before = this.#suggestions.get(id);
    if (before !== undefined && before.state !== 'open') return;
    const isNew = (tool: string) =>
      !before?.tools.some((known) => known.serverKey === serverKey && known.name === tool);
    const added = tools.filter(isNew).map((tool) => ({ serverKey, name: tool }));
    const all = [...(before?.tools ?? []), ...added].slice(0, maxNamedTools);
    if (before === undefined && this.in('open').length >= maxOpen) return;
    this.#put({ id, name, description, tools: all, by, state: 'open' });
  }

  #put(suggestion: StoredSuggestion): void {
    this.#suggestions.set(suggestion.id, suggestion);
    this.#keeper.saveSuggestion(suggestion);
  }
}

const states = { accept: 'accepted', dismiss: 'dismissed', reopen: 'open' } as const satisfies Readonly<
  Record<Decision, StoredSuggestion['state']>
>;

/** Maximum number of tools in a suggestion. */
const maxNamedTools = 36;

const maxOpen = 50;
