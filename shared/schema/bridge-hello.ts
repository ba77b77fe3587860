import type { Problem } from '../error/problem.ts';
import type { NameStyle } from '../model/client.ts';

/** Version of the words between bridge and hub. Grows only when an older side could no longer be understood. */
export const bridgeWireVersion = 1;

/** Longest hello line in bytes, and milliseconds to wait for one; both sides. */
export const helloLimits = { bytes: 64 * 1024, milliseconds: 5_000 } as const;

/** The first line a bridge sends, as JSON; JSON-RPC follows the hub's answer. */
export interface BridgeHello {
  readonly patchbay: number;
  readonly kind: 'bridge';
  /** Version of the bridge program. */
  readonly version: string;
  readonly pid: number;
  /** Id of the client it was written for, where its config says so. */
  readonly client?: string;
  /** Name style asked for with `--names`. */
  readonly names?: NameStyle;
  /** Name of the profile asked for with `--profile`. */
  readonly profile?: string;
  /** A short list of tools was asked for with `--compact`. */
  readonly compact?: boolean;
  /** Only asks whether the hub answers: no session is opened and the connection ends after the hub's hello. */
  readonly probe?: boolean;
  /** Random, and the same at every connection of one bridge: its client's session goes on. */
  readonly session?: string;
}

/** The first line of a command of the same user; requests of `ipc/admin-calls.ts` follow the hub's answer. */
export interface AdminHello {
  readonly patchbay: number;
  readonly kind: 'admin';
  readonly version: string;
}

/** The hub's answer: itself, or why it will not talk. */
export type HubHello =
  | { readonly patchbay: number; readonly version: string; readonly pid: number }
  | { readonly patchbay: number; readonly error: Problem };

/** Methods that list what the hub offers. */
export const listMethods = [
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'prompts/list',
] as const;
export type ListMethod = (typeof listMethods)[number];

/**
 * Sent by a bridge after it has attached: what its client already holds, so that the hub knows which of these lists
 * are out of date, and tells the client so unless the bridge has done that.
 */
export const heldListsMethod = 'notifications/patchbay/held_lists';

export interface HeldListsParams {
  /** Digests of the lists, by the method that lists them. */
  readonly lists: Readonly<Partial<Record<ListMethod, string>>>;
  readonly announce: boolean;
}
