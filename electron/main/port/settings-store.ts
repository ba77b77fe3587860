import { existsSync, readFileSync, renameSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { type Problem, ProblemError, problem } from '../../../shared/error/problem.ts';
import type { Settings, SettingsPatch } from '../../../shared/schema/settings.ts';
import { damagedProblem, defaultSettings, newerProblem, readSettingsText } from './settings-file.ts';

/** Writes values into the settings file and keeps everything else in it. */
export type SettingsWriter = (settings: Settings) => void;

export interface SettingsStoreOptions {
  readonly file: string;
  readonly write: SettingsWriter;
  readonly now: () => number;
}

/**
 * The app's settings, read once and written at each change. A damaged file is moved aside, a newer one left
 * alone.
 */
export class SettingsStore {
  #current: Settings;
  readonly #file: string;
  readonly #write: SettingsWriter;
  readonly #refusal: Problem | undefined;
  readonly problems: readonly Problem[];

  constructor({ file, write, now }: SettingsStoreOptions) {
    this.#file = file;
    this.#write = write;
    const { settings, problem, readOnly } = load(file, now);
    this.#current = settings;
    this.#refusal = readOnly ? problem : undefined;
    this.problems = problem === undefined ? [] : [problem];
  }

  get current(): Settings {
    return this.#current;
  }

  /** Returns the settings with the change applied. */
  merged(patch: SettingsPatch): Settings {
    const given = Object.entries(patch).filter(([, value]) => value !== undefined);
    return { ...this.#current, ...Object.fromEntries(given) };
  }

  /** Throws ProblemError if the file cannot be written; the old settings then stay in force. */
  save(next: Settings): void {
    if (this.#refusal !== undefined) throw new ProblemError(this.#refusal);
    try {
      this.#write(next);
    } catch (error) {
      throw new ProblemError(unwritable(this.#file, error), { cause: error });
    }
    this.#current = next;
  }
}

interface Loaded {
  readonly settings: Settings;
  readonly problem?: Problem;
  /** True if the file must not be overwritten. */
  readonly readOnly: boolean;
}

function load(file: string, now: () => number): Loaded {
  const reading = readSettingsText(readText(file));
  if (reading.kind === 'good') return { settings: reading.settings, readOnly: false };
  if (reading.kind === 'newer')
    return { settings: defaultSettings, problem: newerProblem(file), readOnly: true };
  const keptAs = setAside(file, now());
  const problem = damagedProblem(file, keptAs, reading.reason);
  return { settings: defaultSettings, problem, readOnly: keptAs === undefined };
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // The engine reports an unreadable folder; an unreadable file counts as damaged.
    return existsSync(file) ? '' : undefined;
  }
}

function setAside(file: string, time: number): string | undefined {
  const stamp = new Date(time).toISOString().replaceAll(':', '-');
  const kept = `${file}.broken-${stamp}`;
  try {
    renameSync(file, kept);
    return kept;
  } catch {
    return undefined;
  }
}

function unwritable(file: string, error: unknown): Problem {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  const evidence = { file, error: code };
  return code === 'ENOSPC' || code === 'EDQUOT'
    ? problem(
        'hub.disk_full',
        'The disk is full. The settings were not saved.',
        'Free some space, then try again.',
        evidence,
      )
    : problem(
        'hub.data_folder_unwritable',
        `The settings could not be saved to ${basename(file)}.`,
        `Get write permission for ${dirname(file)}.`,
        evidence,
      );
}
