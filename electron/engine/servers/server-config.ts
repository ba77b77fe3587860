import type { Problem } from '../../../shared/error/problem.ts';
import type { EraSetting } from '../transport/modern/era.ts';
import type { OAuthOptions, OAuthServer, RemoteAuthorization } from '../transport/oauth/contract.ts';

/**
 * How to run or reach one server. Same shape as the config room's target; repeated here so that the rooms
 * stay independent.
 */
export type LaunchTarget =
  | {
      readonly kind: 'stdio';
      /** Default: `auto`. */
      readonly protocol?: EraSetting | undefined;
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly cwd?: string;
    }
  | {
      readonly kind: 'http' | 'sse';
      /** Default: `auto`. */
      readonly protocol?: EraSetting | undefined;
      readonly explicit: boolean;
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly oauth?: OAuthOptions;
    };

/** Provides the credentials of a server's user. */
export type Authorize = (server: OAuthServer) => RemoteAuthorization;

/** Desired config of one server, as the supervisor receives it. */
export interface ServerConfig {
  readonly key: string;
  readonly enabled: boolean;
  readonly restart: 'always' | 'never';
  /** Default: `auto`. */
  readonly start?: 'auto' | 'on-demand';
  /** Milliseconds without a call after which the server is put to sleep; never by default. */
  readonly idleStop?: number;
  /** Default: `shared`. With `per-client`, each session has its own processes, see `Instances`. */
  readonly isolation?: 'shared' | 'per-client';
  /** Max number of such processes. */
  readonly maxInstances?: number;
  readonly target:
    | { readonly ok: true; readonly value: LaunchTarget }
    | { readonly ok: false; readonly problem: Problem };
  /**
   * Restarts the server when it changes. A connected server keeps serving until the new process is ready: see
   * `SupervisedServer.update`.
   */
  readonly fingerprint: string;
  /**
   * Digest of other config that affects how the server runs. A change restarts only a server that has
   * stopped, or waits for its next retry.
   */
  readonly options?: string;
  /**
   * Sentence that says what restarts the server once it is no longer retried. By default: a changed config,
   * or a restart.
   */
  readonly revival?: string | undefined;
  /**
   * Command line or URL that is safe to show as evidence; without it, only the bare command or host is shown.
   */
  readonly display?: string;
  /** Values that came from variables with secret names; masked wherever the server repeats them. */
  readonly secrets?: readonly string[];
  /** Parts of the target as written in the config, before variables were expanded; for evidence. */
  readonly written?: { readonly command?: string; readonly cwd?: string };
}
