import { type Problem, ProblemError, problem } from '../../../../shared/error/problem.ts';
import { isRecord, parseJson } from '../../../../shared/json.ts';
import { type Settings, type SettingsPatch, settingsSchema } from '../../../../shared/schema/settings.ts';
import { readTextIfExists, writePrivateFile } from './atomic-file.ts';

/** Reads settings without changing them; a damaged file counts as defaults, and its problem is returned. */
export async function readSettings(
  file: string,
): Promise<{ readonly settings: Settings; readonly problem?: Problem }> {
  const defaults = settingsSchema.parse({});
  const text = await readTextIfExists(file);
  if (text === undefined) return { settings: defaults };
  const parsed = settingsSchema.safeParse(parseJson(text));
  if (parsed.success) return { settings: parsed.data };
  const fields = parsed.error.issues.map((issue) => issue.path.join('.')).join(', ');
  return {
    settings: defaults,
    problem: problem(
      'hub.settings_unreadable',
      `${file} is not a valid settings file. Patchbay uses the defaults and leaves the file unchanged.`,
      'Fix or delete the file.',
      { file, fields },
    ),
  };
}

/**
 * Changes single settings in a file that no app is using, and keeps the others. Rejects with
 * `hub.settings_unreadable`.
 */
export async function changeSettingsFile(file: string, patch: SettingsPatch): Promise<void> {
  const { settings, problem: damaged } = await readSettings(file);
  if (damaged !== undefined) throw new ProblemError(damaged);
  const written = parseJson((await readTextIfExists(file)) ?? '{}');
  const all = { version: settings.version, ...(isRecord(written) ? written : {}), ...patch };
  await writePrivateFile(file, `${JSON.stringify(all, undefined, 2)}\n`);
}
