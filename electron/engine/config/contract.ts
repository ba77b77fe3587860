import type { ConfigIssue } from '../../../shared/error/config-error.ts';
import type { Problem } from '../../../shared/error/problem.ts';
import type { EntryIssue } from '../../../shared/model/import/import.ts';
import type { ServerChange } from '../../../shared/model/server/server-change.ts';
import type { GuardMode } from '../../../shared/model/tool/guard.ts';
import type { Disposable, Event } from '../base/emitter.ts';
import type { Placeholder } from './entry/placeholders.ts';

/**
 * How to run or reach one server: variables expanded, `~` resolved, ready to use. Contains secrets: never log
 * it.
 */
export type ServerTarget =
  | {
      readonly kind: 'stdio';
      /** Absent: the server is asked. */
      readonly protocol?: 'legacy' | 'modern';
      readonly command: string;
      readonly args: readonly string[];
      /** Additions to the inherited environment. */
      readonly env: Readonly<Record<string, string>>;
      readonly cwd?: string;
    }
  | {
      readonly kind: 'http' | 'sse';
      /** Absent: the server is asked. */
      readonly protocol?: 'legacy' | 'modern';
      /** `http` without an explicit type falls back to SSE when the server speaks only that. */
      readonly explicit: boolean;
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly oauth?: SignInOptions;
    };

/** Parts of a target before expansion, for evidence. */
export interface WrittenTarget {
  readonly command?: string;
  readonly cwd?: string;
}

/** The vault's values for `${secret:NAME}`. */
export interface SecretSource {
  get(name: string): string | undefined;
  /** Returns whether the secret is stored but cannot be decrypted now. */
  isClosed(name: string): boolean;
}

/** A reference to a secret in an entry, whether the secret exists or not. */
export interface SecretReference {
  readonly name: string;
  /** Relative to the entry: `env.TOKEN`. */
  readonly field: string;
}

export interface MissingReference {
  readonly kind: 'variable' | 'secret';
  readonly name: string;
}

/** Returns the display name. */
export function missingLabel({ name }: MissingReference): string {
  return name.replace(/^input:/, '');
}

/** `patchbay.oauth` of an entry, expanded. */
export interface SignInOptions {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly clientMetadataUrl?: string;
  readonly scopes?: readonly string[];
  readonly callbackPort?: number;
  readonly redirectUri?: string;
  readonly resource?: boolean;
}

/** One server of the config, validated on its own. */
export interface ConfiguredServer {
  readonly key: string;
  /** Display name, if it differs from the key. */
  readonly title?: string;
  readonly enabled: boolean;
  /** Command line or URL as written, unexpanded: safe to show. */
  readonly display: string;
  readonly restart: 'always' | 'never';
  readonly start: 'auto' | 'on-demand';
  /** Milliseconds without a call after which the server is put to sleep. */
  readonly idleStop?: number;
  readonly isolation: 'shared' | 'per-client';
  /** Maximum number of processes for `per-client`. */
  readonly maxInstances?: number;
  readonly health: { readonly url?: string; readonly interval?: number; readonly timeout?: number };
  /** Maximum number of calls in progress. */
  readonly concurrency?: number;
  /** Canonical ids to call instead, in this order, by tool. */
  readonly fallback: ReadonlyMap<string, readonly string[]>;
  /** Timeout of one call in milliseconds, if the entry sets one. */
  readonly callTimeout?: number;
  readonly disabledTools: ReadonlySet<string>;
  /** The only tools that may be called, if the entry lists them. */
  readonly enabledTools?: ReadonlySet<string>;
  /** Tags by which the user sorts their servers, if any. */
  readonly tags?: readonly string[];
  readonly favorite?: true;
  /** Quarantine of tools with new or changed definitions. */
  readonly guard: GuardMode;
  readonly transport: 'stdio' | 'http' | 'sse';
  /** The expanded target, or the problem with the entry (invalid fields, missing variables). */
  readonly target:
    | { readonly ok: true; readonly value: ServerTarget }
    | { readonly ok: false; readonly problem: Problem };
  /** Values from the vault and from variables with secret-looking names. Never log them. */
  readonly secrets?: readonly string[];
  readonly written?: WrittenTarget;
  /** Variables and secrets that the entry refers to and that have no value. */
  readonly missing?: readonly MissingReference[];
  /** Values that still have to be filled in. */
  readonly placeholders?: readonly Placeholder[];
  /** Secrets that the entry refers to, even while it is turned off or has errors. */
  readonly secretReferences?: readonly SecretReference[];
  /**
   * Equal for two configurations if and only if nothing that needs a restart differs. Not reversible, safe to
   * store.
   */
  readonly fingerprint: string;
  /** Equal if and only if the options for running and calling the server are equal. */
  readonly options?: string;
  /**
   * Oddities of the entry that do not stop it (a number where text belongs, a name that looks like a
   * variable).
   */
  readonly warnings?: readonly Problem[];
}

/** The config as last read: servers in file order; `problem` is set if a newer text was rejected. */
export interface ConfigState {
  readonly servers: readonly ConfiguredServer[];
  readonly problem?: Problem;
  /** No text was ever valid, so an empty list of servers does not mean that there are none. */
  readonly isUnknown?: true;
}

/**
 * Owns `mcp.json`: reads it, watches it, edits it in place. A broken file leaves the last valid state active
 * and sets `problem`. Edits run one at a time, read the file again first, change the smallest part of the
 * text, and are atomic. Edits of a broken file are rejected with its problem.
 */
export interface ConfigStore extends Disposable {
  readonly state: ConfigState;
  readonly onChange: Event<ConfigState>;
  /** Digest of the active text; undefined if there is none. */
  readonly digest: string | undefined;
  /** Fires when another text is active, even if only a comment has changed; after {@link onChange}. */
  readonly onDigest: Event<string>;
  /** Reads the file again now, for example after the environment has changed. */
  reload(): Promise<ConfigState>;
  add(
    servers: readonly { readonly key: string; readonly entry: Readonly<Record<string, unknown>> }[],
  ): Promise<void>;
  update(key: string, entry: Readonly<Record<string, unknown>>, newKey?: string): Promise<void>;
  /**
   * Saves an edited entry. Changes made to the file since `base` are kept, field by field; a field changed on
   * both sides is rejected with `config.changed_meanwhile`, whose evidence is labelled with the fields.
   * Resolves to the saved text of the entry.
   */
  saveText(save: EntrySave): Promise<{ readonly text: string }>;
  /** Adds a copy right after the original, turned off; resolves to its key. */
  duplicate(key: string): Promise<string>;
  /** Resolves to an id for {@link undoRemove}. */
  remove(key: string): Promise<string>;
  undoRemove(undoId: string): Promise<void>;
  /** Makes all changes in one write, or none; resolves to an id for {@link undoChange}. */
  changeMany(changes: readonly ServerChange[]): Promise<string>;
  undoChange(undoId: string): Promise<void>;
  /**
   * Replaces a broken file with the last valid text, and stores a copy of the broken one; resolves to an id
   * for {@link undoRestore}.
   */
  restoreGood(): Promise<string>;
  /**
   * Replaces the whole file with a valid text, whatever it contains; the text is active when this resolves.
   */
  replaceText(text: string): Promise<void>;
  undoRestore(undoId: string): Promise<void>;
  setEnabled(keys: readonly string[], enabled: boolean): Promise<void>;
  setToolsEnabled(key: string, names: readonly string[], enabled: boolean): Promise<void>;
  /** Replaces an entry with the result of `change`, atomically; resolves to its text before and after. */
  changeEntry(
    key: string,
    change: (entry: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>,
  ): Promise<{ readonly before: string; readonly after: string }>;
  /** Changes only the `command` of a stdio server. */
  setCommand(key: string, command: string): Promise<void>;
  entry(key: string): Promise<{ readonly text: string; readonly entry: Readonly<Record<string, unknown>> }>;
  /** Validates an edited entry; writes nothing. `key` is checked too, against all keys but `originalKey`. */
  validate(
    key: string,
    text: string,
    originalKey?: string,
  ): { readonly issues: readonly EntryIssue[]; readonly entry?: Readonly<Record<string, unknown>> };
  /**
   * Returns what an edited entry would run in the current environment; writes nothing. Rejects with
   * ProblemError if the text is not a valid entry.
   */
  configure(key: string, text: string): Promise<ConfiguredServer>;
}

export interface EntrySave {
  readonly key: string;
  readonly text: string;
  /** The entry's text when editing began; if absent, the entry is added, because it is not in the file. */
  readonly base?: string | undefined;
  /** Renames the entry in the same step. */
  readonly newKey?: string | undefined;
  /** Decides the fields changed on both sides, as long as the file still equals `seen`. */
  readonly resolve?: { readonly keep: 'mine' | 'theirs'; readonly seen: string } | undefined;
}

export interface ConfigStoreOptions {
  readonly file: string;
  /** Variables for expansion. */
  readonly env: () => Readonly<Record<string, string | undefined>>;
  /** Looks up `${secret:NAME}`; after a change, call {@link ConfigStore.reload}. */
  readonly secrets?: SecretSource;
  /**
   * Called before a key is used for another server: a new one, or the one that had or has the key `from`. Not
   * called for edits made outside Patchbay.
   */
  readonly onNewKey?: (key: string, from: string | undefined) => void;
  /**
   * File that stores the last accepted text, mode 0600, in case the file is broken at the next start; not
   * stored if absent.
   */
  readonly lastGood?: string;
  /** Creates the file with an empty `mcpServers` if it is missing and nothing was ever accepted. */
  readonly create: boolean;
  /** Decides on `%VAR%` and on the case of variable names; defaults to this machine's. */
  readonly platform?: NodeJS.Platform;
}

/**
 * The whole file for the aggregator, or all its errors at once (ConfigError is thrown and nothing starts).
 */
export interface StrictConfig {
  readonly servers: readonly {
    readonly key: string;
    readonly target: Extract<ServerTarget, { kind: 'stdio' }>;
    readonly display: string;
    readonly callTimeout?: number;
    readonly secrets?: readonly string[];
    readonly written?: WrittenTarget;
  }[];
  /** Oddities that stop nothing, for the log. */
  readonly warnings: readonly ConfigIssue[];
}
