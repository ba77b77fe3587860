import type { OfferedItem, OfferedItems } from '../../../shared/model/tester.ts';
import type { ToolSummary } from '../../../shared/model/tool.ts';
import { matchesWords, queryWords } from '../../lib/match-words.ts';
import type { TryTarget } from '../../store/tester-store.ts';

/** A row of the list of items to try. */
export type TargetRow =
  | { readonly kind: 'head'; readonly title: string; readonly count: number }
  | {
      readonly kind: 'item';
      readonly target: TryTarget;
      readonly title: string;
      /** More text to search. */
      readonly words: string;
      readonly off: boolean;
    };

/** Returns what a server offers, by kind, filtered by the query. */
export function targetRows(
  serverKey: string,
  tools: readonly ToolSummary[],
  offered: OfferedItems | undefined,
  query: string,
): readonly TargetRow[] {
  const words = queryWords(query);
  const section = (title: string, rows: readonly Item[]): readonly TargetRow[] => {
    const found = rows.filter((row) =>
      matchesWords(`${row.target.name} ${row.title} ${row.words}`.toLowerCase(), words),
    );
    return found.length === 0 ? [] : [{ kind: 'head', title, count: found.length }, ...found];
  };
  const items = (kind: TryTarget['kind'], list: readonly OfferedItem[] = []) =>
    list.map(({ name, title }): Item => row({ kind, serverKey, name }, title ?? name, false));
  return [
    ...section(
      'Tools',
      // Tools are listed by name, as everywhere else.
      tools.map(({ name, title = '', enabled }) => ({
        ...row({ kind: 'tool', serverKey, name }, name, !enabled),
        words: title,
      })),
    ),
    ...section('Prompts', items('prompt', offered?.prompts)),
    ...section('Resources', items('resource', offered?.resources)),
    ...section('Resource templates', items('template', offered?.templates)),
  ];
}

type Item = Extract<TargetRow, { readonly kind: 'item' }>;

function row(target: TryTarget, title: string, off: boolean): Item {
  return { kind: 'item', target, title, words: '', off };
}
