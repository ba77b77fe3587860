import { isRecord } from '../../../../../shared/json.ts';
import { toolListsIn } from '../../../config/entry/tool-lists.ts';
import { type Step, warning } from './entry-step.ts';

/** Converts lists of tools to our options: the only allowed tools, and the blocked ones. */
export const readToolLists: Step = (entry, dialect) => {
  const { rest, enabledTools, disabledTools, isNone, isEmpty, patterns } = toolListsIn(entry);
  const own = isRecord(entry.patchbay) ? entry.patchbay : {};
  const lists = {
    ...(enabledTools === undefined ? {} : { enabledTools }),
    ...(disabledTools.length === 0 ? {} : { disabledTools }),
  };
  const patchbay = Object.keys(lists).length === 0 ? {} : { patchbay: { ...own, ...lists } };
  // Templates contain such a list to be filled in, and some programs write it for all tools.
  const message = 'an empty list of allowed tools was read as all tools';
  return {
    entry: { ...rest, ...(isNone ? { disabled: true } : {}), ...patchbay },
    notes: [
      ...(isEmpty && !dialect?.emptyIsAll ? [warning('tools', message)] : []),
      ...(patterns.length === 0 ? [] : [warning('tools', patternsWarning(patterns))]),
    ],
  };
};

function patternsWarning(patterns: readonly string[]): string {
  return `patterns of tools (${patterns.slice(0, 5).join(', ')}) are not supported and were ignored; turn tools on or off by name`;
}
