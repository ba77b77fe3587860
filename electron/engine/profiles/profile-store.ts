import { isDeepStrictEqual } from 'node:util';
import { type Problem, ProblemError, problem, toProblem } from '../../../shared/error/problem.ts';
import type { ProfilesView } from '../../../shared/model/client/profile.ts';
import type { Clock } from '../base/clock.ts';
import { createCoalescer } from '../base/coalescer.ts';
import { type Disposable, Emitter } from '../base/emitter.ts';
import { SerialQueue } from '../base/serial-queue.ts';
import type { Catalogue } from '../catalogue/contract.ts';
import {
  chooseCompact,
  chooseSelection,
  type ProfileChoice,
  type Profiles,
  type Selection,
  Selector,
} from '../catalogue/profiles.ts';
import { noProfiles, profilesFileVersion, readProfiles } from '../catalogue/profiles-file.ts';
import { mergeValue } from '../config/jsonc/merge-value.ts';
import { parseText } from '../config/jsonc/parse.ts';
import { plainValue } from '../config/jsonc/tree.ts';
import { watchFile } from '../config/store/watch-file.ts';
import type { SessionProfiles } from '../gateway/session/session-contract.ts';
import { readTextIfExists, writeFileAtomic } from '../store/files/atomic-file.ts';
import { type ProfileData, toView } from './profile-data.ts';

export interface ProfileStoreOptions {
  readonly file: string;
  readonly clock: Clock;
  /** Reports why the file cannot be used; undefined once it can be used again. */
  readonly report: (problem: Problem | undefined) => void;
}

/**
 * Owns `profiles.json`: reads it, watches it, and edits it in place, keeping its comments. A broken file
 * leaves the last good version in force; if there was none, it is unknown which client has which profile, so
 * no client gets anything.
 */
export class ProfileStore implements SessionProfiles, Disposable {
  readonly #options: ProfileStoreOptions;
  readonly #queue = new SerialQueue();
  readonly #selector = new Selector();
  readonly #changes = new Emitter<ProfilesView>();
  readonly #reloadTimer: Disposable & { mark(): void };
  readonly onChange = this.#changes.event;
  #profiles: Profiles | undefined;
  #problem: Problem | undefined;
  #watcher: Disposable | undefined;

  constructor(options: ProfileStoreOptions) {
    this.#options = options;
    this.#reloadTimer = createCoalescer(options.clock, debounceMs, () => void this.reload());
  }

  async open(): Promise<this> {
    this.#watcher = await watchFile(this.#options.file, () => this.#reloadTimer.mark());
    await this.reload();
    return this;
  }

  choose(asked: string | undefined, clients: readonly string[]) {
    return chooseSelection(this.#profiles, asked, clients);
  }

  select(catalogue: Catalogue, selection: Selection): Catalogue {
    return this.#selector.select(catalogue, selection);
  }

  compact(choice: ProfileChoice, clients: readonly string[], asked: boolean) {
    return chooseCompact(this.#profiles, choice, clients, asked);
  }

  has(name: string): boolean {
    return this.#profiles?.byName.has(name) ?? false;
  }

  view(): ProfilesView {
    const problem = this.#problem;
    return { ...toView(this.#profiles ?? noProfiles), problem };
  }

  /** Edits the file; resolves when the change is on disk and in force. Rejects if the file is broken. */
  edit(change: (data: ProfileData) => ProfileData): Promise<void> {
    return this.#queue.run(async () => {
      const text = await readTextIfExists(this.#options.file);
      const { bom, body } = parseText(text ?? emptyFile);
      const data = this.#dataOf(body);
      const next = change(data);
      if (isDeepStrictEqual(next, data)) return;
      await writeFileAtomic(this.#options.file, bom + mergeValue(body, [], next), { mode: 0o600 });
      this.#apply(next);
    });
  }

  dispose(): void {
    this.#watcher?.dispose();
    this.#reloadTimer.dispose();
    this.#changes.dispose();
  }

  /** Reads the file now. */
  reload(): Promise<void> {
    return this.#queue.run(async () => {
      try {
        const text = await readTextIfExists(this.#options.file);
        this.#apply(text === undefined ? emptyData : this.#dataOf(parseText(text).body));
      } catch (error) {
        this.#update(this.#profiles, toProblem(error));
      }
    });
  }

  #apply(data: ProfileData): void {
    const read = readProfiles(data);
    if (!read.ok) throw new ProblemError(unreadable(this.#options.file, read.reason));
    this.#update(read.profiles, undefined);
  }

  /** Throws ProblemError if the text is not a valid profiles file. */
  #dataOf(body: string): ProfileData {
    const { root, faults } = parseText(body);
    const [fault] = faults;
    if (fault !== undefined || root === undefined) {
      const place =
        fault === undefined ? '' : `${fault.message} in line ${fault.line}, column ${fault.column}`;
      throw new ProblemError(unreadable(this.#options.file, place));
    }
    const value = plainValue(root);
    const read = readProfiles(value);
    if (!read.ok && read.isNewer) throw new ProblemError(newer(this.#options.file, read.reason));
    if (!read.ok) throw new ProblemError(unreadable(this.#options.file, read.reason));
    // Just checked, except for parts that may be missing.
    return { ...emptyData, ...(value as Partial<ProfileData>) };
  }

  /** Equal values stay the same object, so that sessions notice only real changes. */
  #update(next: Profiles | undefined, found: Problem | undefined): void {
    const profiles = isDeepStrictEqual(next, this.#profiles)
      ? this.#profiles
      : reuseUnchanged(this.#profiles, next);
    const isSame = profiles === this.#profiles && isDeepStrictEqual(found, this.#problem);
    this.#profiles = profiles;
    this.#problem = found;
    if (isSame) return;
    this.#options.report(found);
    this.#changes.fire(this.view());
  }
}

/** Reuses the objects of unchanged selections. */
function reuseUnchanged(before: Profiles | undefined, after: Profiles | undefined): Profiles | undefined {
  if (before === undefined || after === undefined) return after;
  const byName = [...after.byName].map(([name, selection]): readonly [string, Selection] => {
    const old = before.byName.get(name);
    return [name, old !== undefined && isDeepStrictEqual(old, selection) ? old : selection];
  });
  return { ...after, byName: new Map(byName) };
}

/** Editors write in several steps. */
const debounceMs = 100;

const emptyData: ProfileData = { version: profilesFileVersion, profiles: {}, clients: {} };

const emptyFile = `{
  "version": ${profilesFileVersion},
  "profiles": {}
}
`;

function unreadable(file: string, reason: string): Problem {
  const sentence = `profiles.json cannot be used: ${reason}.`;
  const fix = 'Fix the file. Until then, Patchbay uses the profiles that it last read.';
  return problem('profile.unreadable', sentence, fix, { file });
}

function newer(file: string, reason: string): Problem {
  const sentence = `profiles.json was written by a newer version of Patchbay (${reason}) and is left unchanged.`;
  return problem('hub.newer_data', sentence, 'Update Patchbay.', { file });
}
