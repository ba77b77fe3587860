import type { Problem } from '../error/problem.ts';
import type { NameStyle } from '../model/client/client.ts';
import type { ListMethod } from '../model/mcp.ts';

/**
 * Version of the protocol between bridge and hub. Increases only if an older side could no longer understand
 * it.
 */
export const bridgeWireVersion = 1;

/** Maximum length of the hello line in bytes, and the timeout for it; on both sides. */
export const helloLimits = { bytes: 64 * 1024, milliseconds: 5_000 } as const;

/** The bridge's first line, as JSON; JSON-RPC follows the hub's answer. */
export interface BridgeHello {
  readonly patchbay: number;
  readonly kind: 'bridge';
  /** Version of the bridge program. */
  readonly version: string;
  readonly pid: number;
  /** Id of the client that its config was written for, if set. */
  readonly client?: string | undefined;
  /** Name style asked for with `--names`. */
  readonly names?: NameStyle | undefined;
  /** Name of the profile asked for with `--profile`. */
  readonly profile?: string | undefined;
  /** Set if `--compact` asked for a compact tool list. */
  readonly compact?: boolean | undefined;
  /**
   * Only checks whether the hub answers: no session is opened and the connection ends after the hub's hello.
   */
  readonly probe?: boolean | undefined;
  /** Random and constant over a bridge's connections, so that its client's session continues. */
  readonly session?: string | undefined;
}

/** First line of a command of the same user; requests of `ipc/admin-calls.ts` follow the hub's answer. */
export interface AdminHello {
  readonly patchbay: number;
  readonly kind: 'admin';
  readonly version: string;
}

/** The hub's answer: its version, or why it refuses. */
export type HubHello =
  | { readonly patchbay: number; readonly version: string; readonly pid: number }
  | { readonly patchbay: number; readonly error: Problem };

/**
 * Sent by a bridge after it has attached: the lists its client already has, so that the hub knows which are
 * out of date, and notifies the client unless the bridge has done so.
 */
export const heldListsMethod = 'notifications/patchbay/held_lists';

export interface HeldListsParams {
  /** Digests of the lists, by list method. */
  readonly lists: Readonly<Partial<Record<ListMethod, string>>>;
  readonly announce: boolean;
}
