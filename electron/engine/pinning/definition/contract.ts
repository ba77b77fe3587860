import type { AutoApproved, GuardMode } from '../../../../shared/model/tool/guard.ts';
import type { RawItem } from '../../catalogue/contract.ts';

/** A tool definition with its digest. */
export interface Definition {
  readonly name: string;
  /** Equal exactly if two definitions say the same; white space and member order do not matter. */
  readonly digest: string;
  readonly item: RawItem;
}

/** The decision about one tool name of a server. */
export interface ToolPin {
  /** Digest of the definition that clients may get: the last one that was approved. */
  readonly approved?: string;
  /**
   * Digests approved before: a server may list a different definition for each client, or return to an older
   * version.
   */
  readonly earlier?: readonly string[];
  readonly approvedAt?: number;
  /** Digest of a blocked definition. */
  readonly blocked?: string;
  /** Set if the approved definition was approved automatically. */
  readonly passed?: AutoApproved;
}

/** By original tool name. */
export type ServerPins = ReadonlyMap<string, ToolPin>;

export interface QuarantinedDefinition extends Definition {
  readonly kind: 'new' | 'changed';
  readonly blocked: boolean;
}

/** Result of checking a server's tools. */
export interface GuardVerdict {
  /** Names that clients can neither see nor call. */
  readonly quarantinedNames: ReadonlySet<string>;
  readonly quarantined: readonly QuarantinedDefinition[];
  /** Approved because they are seen for the first time. */
  readonly trusted: readonly Definition[];
  /** Approved and marked because nothing in them raises the risk. */
  readonly autoApproved: readonly QuarantinedDefinition[];
  /** Quarantined until the previous definition has been read. */
  readonly pendingRead: readonly Definition[];
}

export type { GuardMode };
