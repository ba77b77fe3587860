import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import { type SearchSettings, searchSettingsSchema } from '../../../../shared/model/search.ts';
import { readTextIfExists, writePrivateFile } from '../../store/atomic-file.ts';
import type { SearchSettingsFile } from './hub-search.ts';

/**
 * Reads and writes `search.json`: the classifier and the semantic search source. The file names secrets but
 * contains none.
 */
export function searchSettingsFile(file: string): SearchSettingsFile {
  return {
    read: async () => {
      const text = await readTextIfExists(file);
      if (text === undefined) return searchSettingsSchema.parse({});
      const read = searchSettingsSchema.safeParse(parsed(text));
      if (!read.success) throw unreadable(file);
      return read.data;
    },
    write: async (settings: SearchSettings) =>
      writePrivateFile(file, `${JSON.stringify(settings, null, 2)}\n`),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unreadable(file: string): ProblemError {
  const sentence = `${file} does not contain valid search settings.`;
  return new ProblemError(
    problem('search.settings_unreadable', sentence, 'Correct or delete the file.', { file }),
  );
}
