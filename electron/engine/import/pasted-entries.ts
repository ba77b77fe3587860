import type { EntryIssue, PastedEntry, PastePreview } from '../../../shared/model/import.ts';
import type { ConfigStore } from '../config/contract.ts';
import { keyPath } from '../config/issue.ts';
import { judgeKey } from '../config/validate.ts';
import { type Answer, answerInputs, flatEntry, inputsOf } from './answer-inputs.ts';
import type { FoundSource } from './found.ts';

/**
 * A source as entries for the box that adds them at once: what is to be asked for stands in them as a reference to the
 * vault, or as a reference that keeps a server from starting until it is filled in.
 */
export function pastedEntries(
  { servers, inputs, issues }: FoundSource,
  config: Pick<ConfigStore, 'state' | 'validate'>,
): PastePreview {
  const [why] = issues;
  if (servers.length === 0) {
    const { message = 'No MCP server was found in this text.', line, column } = why ?? {};
    return {
      kind: 'unreadable',
      message,
      ...(line === undefined ? {} : { line }),
      ...(column === undefined ? {} : { column }),
    };
  }
  const keys = new Set(config.state.servers.map(({ key }) => key));
  const entries = servers.map((found): PastedEntry => {
    const own = inputsOf(found.entry, inputs);
    const answers = new Map(
      inputs.flatMap(({ view }): readonly (readonly [string, Answer])[] => {
        if (!own.includes(view.id)) return [];
        if (view.secretName !== undefined) return [[view.id, { kind: 'secret', name: view.secretName }]];
        return view.default === undefined ? [] : [[view.id, { kind: 'text', text: view.default }]];
      }),
    );
    const answered = inputs.filter(({ view }) => answers.has(view.id));
    const entry = answerInputs(flatEntry(found.entry), answered, answers);
    const judged = config
      .validate('x', JSON.stringify(entry))
      .issues.filter(({ path, secret }) => path !== keyPath && secret === undefined);
    const said = (issue: EntryIssue) =>
      found.issues.some(({ path, message }) => path === issue.path && message === issue.message);
    const unnamed = found.key === '' ? [] : judgeKey(found.key);
    return {
      key: found.key,
      entry,
      issues: [
        ...unnamed.map(({ message }): EntryIssue => ({ severity: 'error', path: keyPath, message })),
        ...found.issues,
        ...judged
          .filter((issue) => !said(issue))
          .map(({ severity, path, message }) => ({ severity, path, message })),
      ],
      exists: keys.has(found.key),
    };
  });
  return { kind: 'entries', entries };
}
