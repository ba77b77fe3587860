import type { Identity } from '../../../../shared/model/access.ts';
import { type Disposable, Emitter } from '../../base/emitter.ts';
import type { AccessRules } from '../../policy/access/rules.ts';
import type { AccessEvent } from './contract.ts';

/** Something was taken back from an identity: what it might do a moment ago. */
export interface Withdrawal {
  readonly identity: Identity;
  readonly before: AccessRules;
}

export type Told = Omit<AccessEvent, 'at' | 'identity'>;

/** What the book of access tells, and to whom. */
export class AccessNews implements Disposable {
  /** Of what this identity may do something is other now, or may have ended. */
  readonly changed = new Emitter<string>();
  /** It may do nothing any more; or, after a new token, nothing with the old one. */
  readonly ended = new Emitter<Identity>();
  /** Somebody took back a grant or a token, or denied something. What ends by itself is not told here. */
  readonly withdrawn = new Emitter<Withdrawal>();
  /** What was kept has been read, or it is known that it cannot be. */
  readonly looked = new Emitter<void>();
  readonly events = new Emitter<AccessEvent>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** To whoever keeps the audit. */
  tell(about: Identity | undefined, event: Told): void {
    const identity = about && { id: about.id, kind: about.kind, name: about.name };
    this.events.fire({ ...event, at: this.#now(), ...(identity === undefined ? {} : { identity }) });
  }

  dispose(): void {
    for (const emitter of [this.changed, this.ended, this.withdrawn, this.looked, this.events])
      emitter.dispose();
  }
}
