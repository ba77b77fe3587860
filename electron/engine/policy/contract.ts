import type { GuardMode, Passed } from '../../../shared/model/guard.ts';
import type { RawItem } from '../catalogue/contract.ts';

/** A tool's definition, known by its digest. */
export interface Definition {
  readonly name: string;
  /** Equal for two definitions exactly when they say the same: white space and the order of members decide nothing. */
  readonly digest: string;
  readonly item: RawItem;
}

/** What has been decided about one name of a server. */
export interface ToolPin {
  /** Digest of the definition that clients may get: the one approved last. */
  readonly approved?: string;
  /** Digests approved before it: a server may offer each client another one, or go back to an older version. */
  readonly earlier?: readonly string[];
  readonly approvedAt?: number;
  /** Digest of one that is to stay away. */
  readonly blocked?: string;
  /** The approved one went through by itself. */
  readonly passed?: Passed;
}

/** By a tool's own name. */
export type ServerPins = ReadonlyMap<string, ToolPin>;

export interface HeldDefinition extends Definition {
  readonly kind: 'new' | 'changed';
  readonly blocked: boolean;
}

/** What becomes of a server's tools. */
export interface Judgement {
  /** Names that clients neither see nor may call. */
  readonly held: ReadonlySet<string>;
  readonly definitions: readonly HeldDefinition[];
  /** To be approved as they are, because they are seen for the first time. */
  readonly trusted: readonly Definition[];
  /** To be approved as they are and marked, because nothing in them raises risk. */
  readonly passed: readonly HeldDefinition[];
  /** Held for the moment in which the definition before them is read. */
  readonly unread: readonly Definition[];
}

export type { GuardMode };
