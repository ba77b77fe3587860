import { type Problem, ProblemError, problem, toProblem } from '../../../shared/error/problem.ts';
import { parseJson } from '../../../shared/json.ts';
import { type Settings, settingsSchema } from '../../../shared/schema/settings.ts';
import type { Profiles } from '../catalogue/profiles.ts';
import { noProfiles, readProfiles } from '../catalogue/profiles-file.ts';
import { parseText } from '../config/jsonc/parse.ts';
import { plainValue } from '../config/jsonc/tree.ts';
import { type ValidText, validateConfigText } from '../config/store/read-config.ts';
import type { ProfileData } from '../profiles/profile-data.ts';
import { readSearchSettings } from '../search/service/settings-file.ts';
import { parseChecks, type StoredCheck } from '../tester/check-file.ts';
import { unusableBackup } from './backup-problems.ts';
import type { SetupFiles } from './setup.ts';

/** The parsed files of a setup. */
export interface ParsedFiles {
  readonly config: ValidText;
  readonly settings: Settings;
  readonly profiles: Profiles;
  readonly profileData: ProfileData;
  readonly checks: readonly StoredCheck[];
}

/** Reads every file as its owner would; `refuse` creates the problem for an invalid file. */
export function parseFiles(
  files: SetupFiles,
  refuse: (name: string, reason?: string) => Problem = unusableBackup,
): ParsedFiles {
  const config = validateConfigText('mcp.json', files.config);
  if ('code' in config) throw new ProblemError(refuse('mcp.json', config.sentence));
  const settings = settingsSchema.safeParse(valueIn(files.settings));
  if (!settings.success) throw new ProblemError(refuse('settings.json'));
  if (readSearchSettings(valueIn(files.search)) === undefined) throw new ProblemError(refuse('search.json'));
  const value = profilesValue(files.profiles);
  const read = value === undefined ? undefined : readProfiles(value);
  if (read?.ok === false) throw new ProblemError(refuse('profiles.json', read.reason));
  if (files.profiles !== undefined && read === undefined) throw new ProblemError(refuse('profiles.json'));
  return {
    config,
    settings: settings.data,
    profiles: read?.profiles ?? noProfiles,
    // Validated above, except for members that may be missing.
    profileData: { version: 1, profiles: {}, clients: {}, ...(value as Partial<ProfileData> | undefined) },
    checks: checksOf(files.checks, refuse),
  };
}

/** Creates the problem for an invalid file, which would make the backup incomplete. */
export function notBackedUp(name: string, reason?: string): Problem {
  const fix = 'Fix or remove the file, then back up again.';
  return problem('backup.unreadable', `Nothing was backed up: ${name} cannot be read.`, fix, {
    file: name,
    reason,
  });
}

function valueIn(text: string | undefined): unknown {
  return text === undefined ? {} : parseJson(text);
}

function profilesValue(text: string | undefined): unknown {
  const { root } = parseText(text ?? '');
  return root === undefined ? undefined : plainValue(root);
}

function checksOf(text: string | undefined, refuse: (name: string, reason?: string) => Problem) {
  try {
    return parseChecks('checks.json', text);
  } catch (error) {
    throw new ProblemError(refuse('checks.json', toProblem(error).sentence), { cause: error });
  }
}
