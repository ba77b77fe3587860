import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Problem, ProblemError, problem } from '../../../../shared/error/problem.ts';
import { formatCount } from '../../../../shared/model/amount.ts';
import { lastGoodLabel } from '../../../../shared/model/hub/hub.ts';
import { systemClock } from '../../base/clock.ts';
import { createCoalescer } from '../../base/coalescer.ts';
import { digestOfText } from '../../base/digest.ts';
import { type Disposable, Emitter } from '../../base/emitter.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import { writeFileAtomic } from '../../store/files/atomic-file.ts';
import type { ConfigState, ConfigStore, ConfigStoreOptions } from '../contract.ts';
import { createEditor } from '../edit/editor.ts';
import { createUndoableEdits } from '../edit/undoable-edits.ts';
import { configureServer } from '../entry/configure-server.ts';
import { EnvFiles } from '../entry/env-files.ts';
import { type ExpandContext, expandContext } from '../entry/expand-entry.ts';
import { configureText } from '../validate/configure-text.ts';
import { validateEntryText } from '../validate/validate-text.ts';
import { LastValidConfig } from './last-valid.ts';
import {
  emptyConfig,
  missingFile,
  type Reading,
  readConfigFile,
  type ValidText,
  validateConfigText,
  writablePath,
} from './read-config.ts';
import { changedSinceRestore, createRestorer, noEarlierConfig, type ReplacedFile } from './restore.ts';
import { watchFile } from './watch-file.ts';

/**
 * Opens the config and follows its changes; see {@link ConfigStore}. Rejects only if it should create the
 * file and cannot.
 */
export async function createConfigStore(options: ConfigStoreOptions): Promise<ConfigStore> {
  const core = new ConfigCore(options);
  await core.waitForFile();
  if (options.create && !core.hasValidText) await createIfMissing(options.file);
  const coalescer = createCoalescer(systemClock, debounceMs, () => void core.refresh());
  const watcher = await watchFile(options.file, () => coalescer.mark());
  await core.refresh();
  const context = () => core.context();
  return {
    get state() {
      return core.state;
    },
    onChange: core.changes.event,
    get digest() {
      return core.digest;
    },
    onDigest: core.digests.event,
    reload: () => core.refresh(),
    replaceText: (text) => core.replaceText(text),
    ...createEditor(core, options.onNewKey),
    ...createUndoableEdits(core),
    ...createRestorer(core),
    validate: (key, text, originalKey) =>
      validateEntryText(
        { key, text, otherKeys: core.keys.filter((other) => other !== originalKey) },
        context(),
      ),
    configure: (key, text) => configureText(key, text, context()),
    dispose: () => {
      coalescer.dispose();
      watcher.dispose();
      core.dispose();
    },
  };
}

/** Editors write in several steps; reading once after the last one is enough. */
const debounceMs = 100;

/**
 * Milliseconds to wait at the start if the file is broken or missing: an editor or a sync may be writing it.
 */
const startTimeoutMs = 1_000;

async function createIfMissing(file: string): Promise<void> {
  if ((await readConfigFile(file)).kind !== 'missing') return;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFileAtomic(await writablePath(file), emptyConfig, { mode: 0o600 });
}

/** Owns the active text and the queue for all reads and changes of the file. */
export class ConfigCore implements Disposable {
  readonly changes = new Emitter<ConfigState>();
  readonly digests = new Emitter<string>();
  readonly #options: ConfigStoreOptions;
  readonly #queue = new SerialQueue();
  readonly #envFiles = new EnvFiles(systemClock, () => void this.refresh());
  readonly #lastValid: LastValidConfig | undefined;
  #state: ConfigState = { servers: [] };
  /** The last valid text; it stays active while a newer one is invalid. */
  #valid: ValidText | undefined;
  #digest: string | undefined;

  constructor(options: ConfigStoreOptions) {
    this.#options = options;
    this.#lastValid = options.lastGood === undefined ? undefined : new LastValidConfig(options.lastGood);
  }

  get digest(): string | undefined {
    return this.#digest;
  }

  /** Tells whether a text is active: the file's, or the last accepted one of an earlier run. */
  get hasValidText(): boolean {
    return this.#valid !== undefined;
  }

  /**
   * Starts with the last accepted text. Reads a broken, empty, unreadable or missing file again for a moment,
   * as the watcher would; without an earlier text, a missing file means a new installation and there is no
   * wait.
   */
  async waitForFile(): Promise<void> {
    if (this.#lastValid === undefined) return;
    this.#valid = await this.#lastValid.read();
    const { file } = this.#options;
    for (let left = startTimeoutMs; left > 0; left -= debounceMs) {
      const reading = await readConfigFile(file);
      if (reading.kind === 'missing' && this.#valid === undefined) return;
      if (reading.kind === 'text' && !('code' in validateConfigText(file, reading.text))) return;
      await sleep(debounceMs);
    }
  }

  get state(): ConfigState {
    return this.#state;
  }

  get keys(): readonly string[] {
    return this.#valid?.servers.map(({ key }) => key) ?? [];
  }

  /** The current context for expanding entries. */
  context(): ExpandContext {
    const { file, env, platform, secrets } = this.#options;
    return { ...expandContext(file, env(), platform, secrets), readEnvFile: this.#envFiles.read };
  }

  /** Reads the file now; changes the state, and fires events, only if something differs. */
  refresh(): Promise<ConfigState> {
    return this.#queue.run(async () =>
      this.#publish(await this.#evaluate(await readConfigFile(this.#options.file))),
    );
  }

  /** Returns the current valid text; rejects with the problem of a broken file. */
  read(): Promise<ValidText> {
    return this.#queue.run(async () => this.#editBase(await readConfigFile(this.#options.file)));
  }

  /**
   * Changes the text: `change` gets the current valid text and returns the new body. It runs again if another
   * program wrote in between. Resolves when the new text is on disk and active.
   */
  edit<T>(change: (good: ValidText) => { readonly body: string; readonly result: T }): Promise<T> {
    return this.#queue.run(async () => {
      for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
        const reading = await readConfigFile(this.#options.file);
        const good = this.#editBase(reading);
        const { body, result } = change(good);
        const text = good.parsed.bom + body;
        if (reading.kind === 'text' && text === reading.text) return result;
        if (await this.#write(reading, text)) return result;
      }
      throw new ProblemError(changesTooFast(this.#options.file));
    });
  }

  /** Replaces a broken file with the active text; resolves to the replaced text. */
  restoreGood(): Promise<ReplacedFile> {
    return this.#queue.run(async () => {
      const { file } = this.#options;
      const good = this.#valid;
      if (good === undefined) throw new ProblemError(noEarlierConfig(file));
      const reading = await readConfigFile(file);
      if (reading.kind === 'unreadable') throw new ProblemError(reading.problem);
      const before = reading.kind === 'text' ? reading.text : undefined;
      if (before !== undefined) await this.#lastValid?.saveReplaced(before);
      if (!(await this.#write(reading, good.text))) throw new ProblemError(changesTooFast(file));
      return { before, after: good.text };
    });
  }

  async replaceText(text: string): Promise<void> {
    await this.#queue.run(async () => {
      for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
        const reading = await readConfigFile(this.#options.file);
        if (reading.kind === 'unreadable') throw new ProblemError(reading.problem);
        if (reading.kind === 'text' && reading.text === text) return;
        if (await this.#write(reading, text)) return;
      }
      throw new ProblemError(changesTooFast(this.#options.file));
    });
    // The secrets that the entries refer to may have changed too.
    await this.refresh();
  }

  /** Restores the broken text, unless the file has changed since. */
  undoRestore({ before, after }: ReplacedFile): Promise<void> {
    return this.#queue.run(async () => {
      const { file } = this.#options;
      const reading = await readConfigFile(file);
      if (before === undefined || reading.kind !== 'text' || reading.text !== after)
        throw new ProblemError(changedSinceRestore(file));
      await writeFileAtomic(await writablePath(file), before, {});
      this.#publish(await this.#evaluate(await readConfigFile(file)));
    });
  }

  dispose(): void {
    this.#envFiles.dispose();
    this.changes.dispose();
    this.digests.dispose();
  }

  /** Returns false if the file has changed since it was read. */
  async #write(reading: Reading, text: string): Promise<boolean> {
    const { file } = this.#options;
    const good = validateConfigText(file, text);
    if ('code' in good) throw new Error(`an edit would have broken the config: ${good.sentence}`);
    const target = await writablePath(file);
    if (!isDeepStrictEqual(await readConfigFile(file), reading)) return false;
    await writeFileAtomic(target, text, reading.kind === 'missing' ? { mode: 0o600 } : {});
    this.#valid = good;
    await this.#lastValid?.store(good.text);
    this.#publish(await this.#stateOf(undefined));
    return true;
  }

  /** The text to edit: the file's, or the active text if the file was deleted. */
  #editBase(reading: Reading): ValidText {
    const { file } = this.#options;
    if (reading.kind === 'unreadable') throw new ProblemError(reading.problem);
    const text = reading.kind === 'text' ? reading.text : (this.#valid?.text ?? emptyConfig);
    const good = validateConfigText(file, text);
    if ('code' in good) throw new ProblemError(good);
    return good;
  }

  async #evaluate(reading: Reading): Promise<ConfigState> {
    const { file } = this.#options;
    if (reading.kind === 'missing') return this.#stateOf(missingFile(file));
    if (reading.kind === 'unreadable') return this.#stateOf(reading.problem);
    const good = validateConfigText(file, reading.text);
    if ('code' in good) return this.#stateOf(good);
    this.#valid = good;
    await this.#lastValid?.store(good.text);
    return this.#stateOf(undefined);
  }

  /** Returns the servers of the active text, in the current environment. */
  async #stateOf(found: Problem | undefined): Promise<ConfigState> {
    const context = this.context();
    const good = this.#valid;
    const servers = good
      ? await Promise.all(good.servers.map((server) => configureServer(good.parsed, server, context)))
      : [];
    if (found === undefined) return { servers };
    const kept =
      good === undefined ? [] : [{ label: lastGoodLabel, value: formatCount(servers.length, 'server') }];
    const problem = { ...found, evidence: [...found.evidence, ...kept] };
    return { servers, problem, ...(good === undefined ? { isUnknown: true as const } : {}) };
  }

  #publish(next: ConfigState): ConfigState {
    if (!isDeepStrictEqual(next, this.#state)) {
      this.#state = next;
      this.changes.fire(next);
    }
    const digest = this.#valid && digestOfText(this.#valid.text);
    if (digest !== undefined && digest !== this.#digest) {
      this.#digest = digest;
      this.digests.fire(digest);
    }
    return this.#state;
  }
}

/** A program that writes more often than this between two reads is out of control. */
const maxAttempts = 5;

function changesTooFast(file: string): Problem {
  const sentence = `${file} keeps changing while Patchbay edits it.`;
  return problem(
    'config.unwritable',
    sentence,
    'Close the other program that writes this file, then try again.',
    {
      file,
    },
  );
}
