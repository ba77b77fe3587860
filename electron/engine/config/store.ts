import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Problem, ProblemError, problem } from '../../../shared/error/problem.ts';
import { formatCount } from '../../../shared/model/amount.ts';
import { lastGoodLabel } from '../../../shared/model/hub.ts';
import { systemClock } from '../base/clock.ts';
import { createCoalescer } from '../base/coalescer.ts';
import { digestOfText } from '../base/digest.ts';
import { type Disposable, Emitter } from '../base/emitter.ts';
import { SerialQueue } from '../base/queue.ts';
import { writeFileAtomic } from '../store/atomic-file.ts';
import { configureText } from './configure-text.ts';
import type { ConfigState, ConfigStore, ConfigStoreOptions } from './contract.ts';
import { createEditor } from './editor.ts';
import { EnvFiles } from './env-files.ts';
import { type ExpandContext, expandContext } from './expand-entry.ts';
import { LastGoodConfig } from './last-good.ts';
import {
  emptyConfig,
  type GoodText,
  judgeText,
  missingFile,
  type Reading,
  readConfigFile,
  writablePath,
} from './reading.ts';
import { configureServer } from './resolve.ts';
import { createRestorer, noGoodText, type Replaced, restoredOtherwise } from './restore.ts';
import { validateEntryText } from './validate-text.ts';
import { watchFile } from './watch.ts';

/** Opens the config and keeps following it; see {@link ConfigStore}. Rejects only when it should create the file and cannot. */
export async function createConfigStore(options: ConfigStoreOptions): Promise<ConfigStore> {
  const core = new ConfigCore(options);
  await core.settle();
  if (options.create && !core.hasGood) await createIfMissing(options.file);
  const coalescer = createCoalescer(systemClock, settleMilliseconds, () => void core.refresh());
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

/** Editors write in several steps; one look after the last is enough. */
const settleMilliseconds = 100;

/** Milliseconds that a file which is broken or gone at the start is given: an editor or a sync may be at work on it. */
const firstPatience = 1_000;

async function createIfMissing(file: string): Promise<void> {
  if ((await readConfigFile(file)).kind !== 'missing') return;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFileAtomic(await writablePath(file), emptyConfig, { mode: 0o600 });
}

/** The text in force and the one queue through which it is looked at and changed. */
export class ConfigCore implements Disposable {
  readonly changes = new Emitter<ConfigState>();
  readonly digests = new Emitter<string>();
  readonly #options: ConfigStoreOptions;
  readonly #queue = new SerialQueue();
  readonly #envFiles = new EnvFiles(systemClock, () => void this.refresh());
  readonly #lastGood: LastGoodConfig | undefined;
  #state: ConfigState = { servers: [] };
  /** The last text that was good; it stays in force while a newer one is not. */
  #good: GoodText | undefined;
  #digest: string | undefined;

  constructor(options: ConfigStoreOptions) {
    this.#options = options;
    this.#lastGood = options.lastGood === undefined ? undefined : new LastGoodConfig(options.lastGood);
  }

  get digest(): string | undefined {
    return this.#digest;
  }

  /** Some text is in force: that of the file, or the one that was in force when a hub ran last. */
  get hasGood(): boolean {
    return this.#good !== undefined;
  }

  /**
   * Begins with what was in force last. A file that is broken, empty, unreadable or gone is read again for a moment, as the
   * watcher would; without a last good text, a file that is gone is a new installation and nothing is waited for.
   */
  async settle(): Promise<void> {
    if (this.#lastGood === undefined) return;
    this.#good = await this.#lastGood.read();
    const { file } = this.#options;
    for (let left = firstPatience; left > 0; left -= settleMilliseconds) {
      const reading = await readConfigFile(file);
      if (reading.kind === 'missing' && this.#good === undefined) return;
      if (reading.kind === 'text' && !('code' in judgeText(file, reading.text))) return;
      await sleep(settleMilliseconds);
    }
  }

  get state(): ConfigState {
    return this.#state;
  }

  get keys(): readonly string[] {
    return this.#good?.servers.map(({ key }) => key) ?? [];
  }

  /** What entries are expanded against, as it is now. */
  context(): ExpandContext {
    const { file, env, platform, secrets } = this.#options;
    return { ...expandContext(file, env(), platform, secrets), readEnvFile: this.#envFiles.read };
  }

  /** Looks at the file now; the state changes, and is announced, only if something in it differs. */
  refresh(): Promise<ConfigState> {
    return this.#queue.run(async () =>
      this.#settle(await this.#look(await readConfigFile(this.#options.file))),
    );
  }

  /** The good text of now; rejects with the problem of a broken one. */
  read(): Promise<GoodText> {
    return this.#queue.run(async () => this.#base(await readConfigFile(this.#options.file)));
  }

  /**
   * Changes the text: `change` gets the good text of this moment and returns the new body. It runs again if someone
   * else wrote in between. Resolves when the new text is on disk and in force.
   */
  edit<T>(change: (good: GoodText) => { readonly body: string; readonly result: T }): Promise<T> {
    return this.#queue.run(async () => {
      for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
        const reading = await readConfigFile(this.#options.file);
        const good = this.#base(reading);
        const { body, result } = change(good);
        const text = good.parsed.bom + body;
        if (reading.kind === 'text' && text === reading.text) return result;
        if (await this.#write(reading, text)) return result;
      }
      throw new ProblemError(keepsChanging(this.#options.file));
    });
  }

  /** Puts the text in force in the place of a broken file; resolves to what stood there. */
  restoreGood(): Promise<Replaced> {
    return this.#queue.run(async () => {
      const { file } = this.#options;
      const good = this.#good;
      if (good === undefined) throw new ProblemError(noGoodText(file));
      const reading = await readConfigFile(file);
      if (reading.kind === 'unreadable') throw new ProblemError(reading.problem);
      const before = reading.kind === 'text' ? reading.text : undefined;
      if (before !== undefined) await this.#lastGood?.setAside(before);
      if (!(await this.#write(reading, good.text))) throw new ProblemError(keepsChanging(file));
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
      throw new ProblemError(keepsChanging(this.#options.file));
    });
    // Secrets that its entries refer to may be others now.
    await this.refresh();
  }

  /** Puts the broken text back, unless the file has changed since. */
  undoRestore({ before, after }: Replaced): Promise<void> {
    return this.#queue.run(async () => {
      const { file } = this.#options;
      const reading = await readConfigFile(file);
      if (before === undefined || reading.kind !== 'text' || reading.text !== after)
        throw new ProblemError(restoredOtherwise(file));
      await writeFileAtomic(await writablePath(file), before, {});
      this.#settle(await this.#look(await readConfigFile(file)));
    });
  }

  dispose(): void {
    this.#envFiles.dispose();
    this.changes.dispose();
    this.digests.dispose();
  }

  /** False when the file is no longer as it was read. */
  async #write(reading: Reading, text: string): Promise<boolean> {
    const { file } = this.#options;
    const good = judgeText(file, text);
    if ('code' in good) throw new Error(`an edit would have broken the config: ${good.sentence}`);
    const target = await writablePath(file);
    if (!isDeepStrictEqual(await readConfigFile(file), reading)) return false;
    await writeFileAtomic(target, text, reading.kind === 'missing' ? { mode: 0o600 } : {});
    this.#good = good;
    await this.#lastGood?.keep(good.text);
    this.#settle(await this.#stateOf(undefined));
    return true;
  }

  /** What an edit starts from: the file, or, when it was deleted, the text that is in force. */
  #base(reading: Reading): GoodText {
    const { file } = this.#options;
    if (reading.kind === 'unreadable') throw new ProblemError(reading.problem);
    const text = reading.kind === 'text' ? reading.text : (this.#good?.text ?? emptyConfig);
    const good = judgeText(file, text);
    if ('code' in good) throw new ProblemError(good);
    return good;
  }

  async #look(reading: Reading): Promise<ConfigState> {
    const { file } = this.#options;
    if (reading.kind === 'missing') return this.#stateOf(missingFile(file));
    if (reading.kind === 'unreadable') return this.#stateOf(reading.problem);
    const good = judgeText(file, reading.text);
    if ('code' in good) return this.#stateOf(good);
    this.#good = good;
    await this.#lastGood?.keep(good.text);
    return this.#stateOf(undefined);
  }

  /** The servers of the text in force, in the environment of now. */
  async #stateOf(found: Problem | undefined): Promise<ConfigState> {
    const context = this.context();
    const good = this.#good;
    const servers = good
      ? await Promise.all(good.servers.map((server) => configureServer(good.parsed, server, context)))
      : [];
    if (found === undefined) return { servers };
    const kept =
      good === undefined ? [] : [{ label: lastGoodLabel, value: formatCount(servers.length, 'server') }];
    const problem = { ...found, evidence: [...found.evidence, ...kept] };
    return { servers, problem, ...(good === undefined ? { isUnknown: true as const } : {}) };
  }

  #settle(next: ConfigState): ConfigState {
    if (!isDeepStrictEqual(next, this.#state)) {
      this.#state = next;
      this.changes.fire(next);
    }
    const digest = this.#good && digestOfText(this.#good.text);
    if (digest !== undefined && digest !== this.#digest) {
      this.#digest = digest;
      this.digests.fire(digest);
    }
    return this.#state;
  }
}

/** Whoever writes more often than this between two reads is a program gone wild. */
const maxAttempts = 5;

function keepsChanging(file: string): Problem {
  const sentence = `${file} changes faster than it can be edited.`;
  return problem(
    'config.unwritable',
    sentence,
    'Close the other program that writes this file, then try again.',
    {
      file,
    },
  );
}
