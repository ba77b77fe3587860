import type { Identity } from '../../../shared/model/access/access.ts';
import { type Disposable, Emitter } from '../base/emitter.ts';
import type { AccessEvent } from './contract.ts';
import type { AccessRules } from './rules/rules.ts';

/** Something was taken back from an identity; `before` says what it could do until now. */
export interface Withdrawal {
  readonly identity: Identity;
  readonly before: AccessRules;
}

export type NewAccessEvent = Omit<AccessEvent, 'at' | 'identity'>;

/** The events that access changes fire. */
export class AccessEvents implements Disposable {
  /** Fires with an identity id when its rights may have changed or ended. */
  readonly changed = new Emitter<string>();
  /** Fires when an identity has lost all access, or when a new token has replaced its old one. */
  readonly ended = new Emitter<Identity>();
  /** Fires when somebody takes back a grant or a token, or denies something; not when one expires. */
  readonly withdrawn = new Emitter<Withdrawal>();
  /** Fires when the stored data has been read, or turned out to be unreadable. */
  readonly loaded = new Emitter<void>();
  readonly recorded = new Emitter<AccessEvent>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Fires an event for the audit log. */
  record(about: Identity | undefined, event: NewAccessEvent): void {
    const identity = about && { id: about.id, kind: about.kind, name: about.name };
    this.recorded.fire({ ...event, at: this.#now(), ...(identity === undefined ? {} : { identity }) });
  }

  dispose(): void {
    for (const emitter of [this.changed, this.ended, this.withdrawn, this.loaded, this.recorded])
      emitter.dispose();
  }
}
