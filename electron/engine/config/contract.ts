import type { ConfigIssue } from '../../../shared/error/config-error.ts';
import type { Problem } from '../../../shared/error/problem.ts';
import type { GuardMode } from '../../../shared/model/guard.ts';
import type { EntryIssue } from '../../../shared/model/import.ts';
import type { ServerChange } from '../../../shared/model/server-change.ts';
import type { Disposable, Event } from '../base/emitter.ts';
import type { Placeholder } from './placeholders.ts';

/** How to run or reach one server: variables expanded, `~` resolved, ready to use. Holds secrets: never log it. */
export type ServerTarget =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      /** Additions to the inherited environment. */
      readonly env: Readonly<Record<string, string>>;
      readonly cwd?: string;
    }
  | {
      readonly kind: 'http' | 'sse';
      /** `http` without an explicit type falls back to SSE when the server speaks only that. */
      readonly explicit: boolean;
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly oauth?: SignInOptions;
    };

/** Parts of a target as they stand in the file, where variables were replaced: what evidence shows. */
export interface WrittenTarget {
  readonly command?: string;
  readonly cwd?: string;
}

/** A vault's values for `${secret:NAME}`. */
export interface SecretSource {
  get(name: string): string | undefined;
  /** It is stored, but cannot be opened here and now. */
  isClosed(name: string): boolean;
}

/** A reference to a secret in an entry, whether the secret is there or not. */
export interface SecretReference {
  readonly name: string;
  /** Relative to the entry: `env.TOKEN`. */
  readonly field: string;
}

/** A reference that has no value. */
export interface MissingReference {
  readonly kind: 'variable' | 'secret';
  readonly name: string;
}

/** The name for people. */
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

/** One server of the config, judged on its own. */
export interface ConfiguredServer {
  readonly key: string;
  /** Name for people, where it is another than the key. */
  readonly title?: string;
  readonly enabled: boolean;
  /** Command line or URL as written, unexpanded: safe to show. */
  readonly display: string;
  readonly restart: 'always' | 'never';
  readonly start: 'auto' | 'on-demand';
  /** Milliseconds without a call after which it is put to sleep. */
  readonly idleStop?: number;
  readonly isolation: 'shared' | 'per-client';
  /** Processes there may be at one time for `per-client`. */
  readonly maxInstances?: number;
  readonly health: { readonly url?: string; readonly interval?: number; readonly timeout?: number };
  /** Calls under way at one time. */
  readonly concurrency?: number;
  /** By tool: canonical ids to ask instead, in this order. */
  readonly fallback: ReadonlyMap<string, readonly string[]>;
  /** Milliseconds for one call, if the entry limits it. */
  readonly callTimeout?: number;
  readonly disabledTools: ReadonlySet<string>;
  /** The only ones that may be called, where the entry says so. */
  readonly enabledTools?: ReadonlySet<string>;
  /** Tags by which a person sorts their servers, where there are any. */
  readonly tags?: readonly string[];
  readonly favorite?: true;
  /** Whether tools with new or changed definitions are held. */
  readonly guard: GuardMode;
  readonly transport: 'stdio' | 'http' | 'sse';
  /** The expanded target, or what is wrong with the entry (bad fields, missing variables). */
  readonly target:
    | { readonly ok: true; readonly value: ServerTarget }
    | { readonly ok: false; readonly problem: Problem };
  /** What came into the target from the vault and from variables with secret-looking names. Never log it. */
  readonly secrets?: readonly string[];
  readonly written?: WrittenTarget;
  /** Variables and secrets that the entry refers to in vain. */
  readonly missing?: readonly MissingReference[];
  /** Values that nobody has filled in yet. */
  readonly placeholders?: readonly Placeholder[];
  /** Secrets that the entry refers to, also while it is turned off or has faults. */
  readonly secretReferences?: readonly SecretReference[];
  /** Equal for two configurations exactly when nothing that needs a restart differs. Not reversible, safe to keep. */
  readonly fingerprint: string;
  /** Equal exactly when the options of how it runs and is called are. */
  readonly options?: string;
  /** What is odd about the entry but does not stop it (a number where text belongs, a name that looks like a variable). */
  readonly warnings?: readonly Problem[];
}

/** The config as last read: servers in file order; `problem` tells why a newer text was refused, if it was. */
export interface ConfigState {
  readonly servers: readonly ConfiguredServer[];
  readonly problem?: Problem;
  /** No text was ever good, so that there being no servers here does not mean that there are none. */
  readonly isUnknown?: true;
}

/**
 * The owner of `mcp.json`: reads it, watches it, edits it in place. A broken file leaves the last good state in
 * force and sets `problem`. All edits go through one queue, re-read the file first, change only the smallest part
 * of the text, and are atomic. Edits of a broken file are refused with its problem.
 */
export interface ConfigStore extends Disposable {
  readonly state: ConfigState;
  readonly onChange: Event<ConfigState>;
  /** Digest of the text in force; undefined where there is none. */
  readonly digest: string | undefined;
  /** Another text is in force, if only by a comment; fires after {@link onChange}. */
  readonly onDigest: Event<string>;
  /** Reads the file again now, for example after environment changes. */
  reload(): Promise<ConfigState>;
  add(
    servers: readonly { readonly key: string; readonly entry: Readonly<Record<string, unknown>> }[],
  ): Promise<void>;
  update(key: string, entry: Readonly<Record<string, unknown>>, newKey?: string): Promise<void>;
  /**
   * Saves an entry under edit. What changed in the file since `base` is kept, field by field; a field changed on both
   * sides is refused with `config.changed_meanwhile`, whose evidence is labelled with the fields. Resolves to the entry's
   * text as it stands then.
   */
  saveText(save: EntrySave): Promise<{ readonly text: string }>;
  /** Adds a copy right after the original, switched off; resolves to its key. */
  duplicate(key: string): Promise<string>;
  /** Resolves to an id for {@link undoRemove}. */
  remove(key: string): Promise<string>;
  undoRemove(undoId: string): Promise<void>;
  /** Makes all changes in one write, or none; resolves to an id for {@link undoChange}. */
  changeMany(changes: readonly ServerChange[]): Promise<string>;
  undoChange(undoId: string): Promise<void>;
  /**
   * Puts the last good text in the place of a broken file, of which a copy is kept; resolves to an id for
   * {@link undoRestore}.
   */
  restoreGood(): Promise<string>;
  /** Puts a whole other text, which is good, in the place of the file, whatever that is; in force when it resolves. */
  replaceText(text: string): Promise<void>;
  undoRestore(undoId: string): Promise<void>;
  setEnabled(keys: readonly string[], enabled: boolean): Promise<void>;
  setToolsEnabled(key: string, names: readonly string[], enabled: boolean): Promise<void>;
  /** Makes an entry what `change` makes of it, in one step; resolves to its text before and after. */
  changeEntry(
    key: string,
    change: (entry: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>,
  ): Promise<{ readonly before: string; readonly after: string }>;
  /** Writes another `command` into the entry of a stdio server; nothing else of it changes. */
  setCommand(key: string, command: string): Promise<void>;
  entry(key: string): Promise<{ readonly text: string; readonly entry: Readonly<Record<string, unknown>> }>;
  /** Judges an entry under edit; writes nothing. `key` is checked too, against all other keys than `originalKey`. */
  validate(
    key: string,
    text: string,
    originalKey?: string,
  ): { readonly issues: readonly EntryIssue[]; readonly entry?: Readonly<Record<string, unknown>> };
  /**
   * What an entry under edit would run, in the environment of now; writes nothing. Rejects with ProblemError for a text
   * that is no good entry.
   */
  configure(key: string, text: string): Promise<ConfiguredServer>;
}

export interface EntrySave {
  readonly key: string;
  readonly text: string;
  /** The entry's text when the editing began; without it the entry is added, because it is not in the file. */
  readonly base?: string | undefined;
  /** Renames it in the same step. */
  readonly newKey?: string | undefined;
  /** Decides the fields changed on both sides, as far as the file still says what was `seen`. */
  readonly resolve?: { readonly keep: 'mine' | 'theirs'; readonly seen: string } | undefined;
}

export interface ConfigStoreOptions {
  readonly file: string;
  /** Variables for expansion. */
  readonly env: () => Readonly<Record<string, string | undefined>>;
  /** Looked up for `${secret:NAME}`; {@link ConfigStore.reload} makes a change of it count. */
  readonly secrets?: SecretSource;
  /**
   * Told before a key stands for a server that it did not stand for: a new one, or the one that `from` stood for or still
   * does. Not told of what is edited elsewhere.
   */
  readonly onNewKey?: (key: string, from: string | undefined) => void;
  /** Where the last accepted text is kept, 0600, for a start that finds the file broken; nowhere without it. */
  readonly lastGood?: string;
  /** Create the file with an empty `mcpServers` when it is missing and nothing was ever accepted. */
  readonly create: boolean;
  /** Decides on `%VAR%` and on the case of variable names; this machine's by default. */
  readonly platform?: NodeJS.Platform;
}

/** For the command: the whole file or all its errors at once (ConfigError is thrown, nothing starts). */
export interface StrictConfig {
  readonly servers: readonly {
    readonly key: string;
    readonly target: Extract<ServerTarget, { kind: 'stdio' }>;
    readonly display: string;
    readonly callTimeout?: number;
    readonly secrets?: readonly string[];
    readonly written?: WrittenTarget;
  }[];
  /** What is odd but stops nothing, for the log. */
  readonly warnings: readonly ConfigIssue[];
}
