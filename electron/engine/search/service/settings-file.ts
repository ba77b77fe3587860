import { z } from 'zod';
import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import { parseJson } from '../../../../shared/json.ts';
import { type SearchSettings, searchSettingsSchema } from '../../../../shared/model/tool/search.ts';
import type { Logger } from '../../base/logger.ts';
import { readTextIfExists, writePrivateFile } from '../../store/files/atomic-file.ts';

export interface SearchSettingsFile {
  read(): Promise<SearchSettings>;
  write(settings: SearchSettings): Promise<void>;
}

/**
 * Reads and writes `search.json`: the classifier and the semantic search source. The file names secrets but
 * contains none.
 */
export function searchSettingsFile(file: string, logger: Logger): SearchSettingsFile {
  let isTold = false;
  return {
    read: async () => {
      const text = await readTextIfExists(file);
      if (text === undefined) return searchSettingsSchema.parse({});
      const read = readSearchSettings(parseJson(text));
      if (read === undefined) throw unreadable(file);
      if (read.hadFolder && !isTold) logger.log('warn', folderNote, { file });
      isTold ||= read.hadFolder;
      return read.settings;
    },
    write: async (settings: SearchSettings) =>
      writePrivateFile(file, `${JSON.stringify(settings, null, 2)}\n`),
  };
}

/** Rules classify all tools in a moment. Unreadable settings are reported by the classification. */
export function usesRules(settings: SearchSettingsFile): Promise<boolean> {
  return settings.read().then(
    ({ classifier }) => classifier.kind === 'rules',
    () => false,
  );
}

/** Tells whether search data can be rebuilt without calling a provider. */
export function isCheapToRebuild(settings: SearchSettingsFile): Promise<boolean> {
  return settings.read().then(
    ({ classifier, meaning }) => classifier.kind === 'rules' && meaning.kind === 'off',
    () => false,
  );
}

/**
 * Reads the content of `search.json`; undefined if it is invalid. A model in a folder, which earlier versions
 * ran themselves, counts as `off`.
 */
export function readSearchSettings(
  value: unknown,
): { readonly settings: SearchSettings; readonly hadFolder: boolean } | undefined {
  const former = folderSchema.safeParse(value);
  const current = former.success ? { ...former.data, meaning: { kind: 'off' } } : value;
  const read = searchSettingsSchema.safeParse(current);
  return read.success ? { settings: read.data, hadFolder: former.success } : undefined;
}

const folderSchema = z.looseObject({ meaning: z.looseObject({ kind: z.literal('folder') }) });
const folderNote =
  'Search by meaning is off: search.json chooses a model in a folder, and Patchbay no longer runs models itself. Choose Ollama or an OpenAI-compatible API in Settings, Search.';

function unreadable(file: string): ProblemError {
  const sentence = `${file} does not contain valid search settings.`;
  return new ProblemError(
    problem('search.settings_unreadable', sentence, 'Fix or delete the file.', { file }),
  );
}
