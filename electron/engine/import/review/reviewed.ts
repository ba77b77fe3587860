import type { EntryIssue } from '../../../../shared/model/import/import.ts';
import type { ImportEntry } from '../../../../shared/model/import/import-session.ts';
import type { ConfigStore } from '../../config/contract.ts';
import type { PlainSecret } from '../../config/entry/plain-secrets.ts';
import type { FoundInput, FoundServer } from '../found.ts';

/** A secret of an entry, with its value and name. */
export interface ReviewedSecret {
  readonly id: string;
  readonly location: PlainSecret;
  readonly value: string;
  readonly secretName: string;
}

/** A found server with everything known about it. Contains real values. */
export interface ReviewedServer {
  readonly id: string;
  readonly found: FoundServer;
  readonly key: string;
  /** Display name, if the key says less. */
  readonly title?: string | undefined;
  readonly issues: readonly EntryIssue[];
  readonly duplicate?: ImportEntry['duplicate'] | undefined;
  readonly secrets: readonly ReviewedSecret[];
  /** Lists the values to ask for before it can be added. */
  readonly inputs: readonly FoundInput[];
}

export interface ReviewContext {
  readonly config: Pick<ConfigStore, 'validate' | 'configure' | 'state'>;
  /** Returns the value of a stored secret; undefined if there is none. */
  readonly secret: (name: string) => string | undefined;
  readonly isStored: (name: string) => boolean;
}
