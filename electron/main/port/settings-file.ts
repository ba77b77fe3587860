import { type Problem, problem } from '../../../shared/error/problem.ts';
import { parseJson } from '../../../shared/json.ts';
import { type Settings, settingsSchema, settingsVersion } from '../../../shared/schema/settings.ts';

export const defaultSettings: Settings = settingsSchema.parse({});

/** Result of reading `settings.json`. */
export type SettingsReading =
  | { readonly kind: 'good'; readonly settings: Settings }
  /** Written by a newer version of the program: neither used nor changed. */
  | { readonly kind: 'newer' }
  | { readonly kind: 'damaged'; readonly reason: string };

/** Parses the file's text; a missing file (undefined) means defaults. */
export function readSettingsText(text: string | undefined): SettingsReading {
  if (text === undefined) return { kind: 'good', settings: defaultSettings };
  const value = parseJson(text);
  if (value === undefined) return { kind: 'damaged', reason: 'it is not valid JSON' };
  if (isNewer(value)) return { kind: 'newer' };
  const parsed = settingsSchema.safeParse(value);
  if (parsed.success) return { kind: 'good', settings: parsed.data };
  const fields = parsed.error.issues.map(
    ({ path, message }) => `${path.join('.') || 'the file'}: ${message}`,
  );
  return { kind: 'damaged', reason: fields.join('; ') };
}

export function damagedProblem(file: string, keptAs: string | undefined, reason: string): Problem {
  const kept = keptAs === undefined ? 'the file was left in place' : 'the file was moved aside';
  return problem(
    'hub.settings_unreadable',
    `The settings file is damaged: ${kept} and the defaults are used.`,
    'Choose your settings again, or repair the file and put it back while Patchbay is closed.',
    { file, 'kept as': keptAs, reason },
  );
}

export function newerProblem(file: string): Problem {
  return problem(
    'hub.newer_data',
    'A newer version of Patchbay wrote the settings. They are left unchanged, and defaults are used for now.',
    'Update Patchbay to change settings.',
    { file, 'version known here': settingsVersion },
  );
}

function isNewer(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('version' in value)) return false;
  return typeof value.version === 'number' && value.version > settingsVersion;
}
