import { type Problem, ProblemError, problem } from '../../../../shared/error/problem.ts';
import { isRecord } from '../../../../shared/json.ts';
import type { ConfigStore, ConfigStoreOptions } from '../contract.ts';
import { memberOf, plainValue } from '../jsonc/tree.ts';
import type { ValidText } from '../store/read-config.ts';
import {
  addServer,
  duplicateServer,
  renameServer,
  serverText,
  setServerCommand,
  setServerEnabled,
  setServerToolsEnabled,
  updateServer,
} from './edit.ts';
import {
  requireFreeKey,
  requireServer,
  requireUnambiguousServer,
  requireValidEntry,
  throwErrors,
} from './edit-checks.ts';
import type { EditTarget } from './edit-target.ts';
import { saveEntryText } from './save-entry-text.ts';

type EditorCalls = Pick<
  ConfigStore,
  | 'add'
  | 'update'
  | 'saveText'
  | 'duplicate'
  | 'setEnabled'
  | 'setToolsEnabled'
  | 'changeEntry'
  | 'setCommand'
  | 'entry'
>;

/** Creates the edits of a store: each checks its arguments, then changes the text in one step. */
export function createEditor(
  sink: EditTarget,
  onNewKey: ConfigStoreOptions['onNewKey'] = () => {},
): EditorCalls {
  const change = (edit: (body: string, good: ValidText) => string) =>
    sink.edit((good) => ({ body: edit(good.parsed.body, good), result: undefined }));
  return {
    add: (servers) =>
      change((body, good) => {
        const taken = new Set(good.servers.map(({ key }) => key));
        const added = servers.reduce((text, { key, entry }) => {
          requireFreeKey(key, taken);
          requireValidEntry(key, JSON.stringify(entry));
          taken.add(key);
          return addServer(text, key, entry);
        }, body);
        for (const { key } of servers) onNewKey(key, undefined);
        return added;
      }),
    update: (key, entry, newKey = key) =>
      change((body, good) => {
        requireUnambiguousServer(good, key);
        requireValidEntry(newKey, JSON.stringify(entry));
        const updated = updateServer(body, key, entry);
        if (newKey === key) return updated;
        requireFreeKey(newKey, new Set(good.servers.map((server) => server.key)));
        onNewKey(newKey, key);
        return renameServer(updated, key, newKey);
      }),
    saveText: (save) =>
      sink.edit((good) => {
        const saved = saveEntryText(good, save);
        const { key, base, newKey = key } = save;
        if (base === undefined || newKey !== key) onNewKey(newKey, base === undefined ? undefined : key);
        return saved;
      }),
    duplicate: (key) =>
      sink.edit((good) => {
        requireServer(good, key);
        const result = copyKey(key, good);
        onNewKey(result, key);
        const copied = duplicateServer(good.parsed.body, key, result);
        return { body: setServerEnabled(copied, result, false), result };
      }),
    setEnabled: (keys, enabled) =>
      change((body, good) =>
        keys.reduce((text, key) => {
          requireUnambiguousServer(good, key);
          return setServerEnabled(text, key, enabled);
        }, body),
      ),
    setToolsEnabled: (key, names, enabled) =>
      change((body, good) => {
        throwErrors(good.parsed, key, requireUnambiguousServer(good, key).issues);
        return setServerToolsEnabled(body, key, names, enabled);
      }),
    changeEntry: (key, alter) =>
      sink.edit((good) => {
        const value = plainValue(requireUnambiguousServer(good, key).member.value);
        const body = updateServer(good.parsed.body, key, alter(isRecord(value) ? value : {}));
        const result = { before: serverText(good.parsed.body, key), after: serverText(body, key) };
        requireValidEntry(key, result.after);
        return { body, result };
      }),
    setCommand: (key, command) =>
      change((body, good) => {
        const server = requireUnambiguousServer(good, key);
        if (memberOf(server.member.value, 'command') === undefined) throw new ProblemError(noCommand(key));
        return setServerCommand(body, key, command);
      }),
    entry: async (key) => {
      const good = await sink.read();
      const value = plainValue(requireServer(good, key).member.value);
      return { text: serverText(good.parsed.body, key), entry: isRecord(value) ? value : {} };
    },
  };
}

function noCommand(key: string): Problem {
  const sentence = `${key} has no command: it is a remote server.`;
  return problem('config.invalid_schema', sentence, 'Change its address instead.', { server: key });
}

function copyKey(key: string, good: ValidText): string {
  const taken = new Set(good.servers.map((server) => server.key));
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? `${key}-copy` : `${key}-copy-${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}
