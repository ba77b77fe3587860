import type { ClientProfile } from '../catalogue/contract.ts';
import type { Introduction } from './introduction.ts';

/** A client that has said who it is. */
export interface Acquainted {
  readonly client: Introduction;
  readonly profile: ClientProfile;
}

type State =
  | { readonly kind: 'new' }
  /** Answered `initialize`; `initialized` has not come, so no notice may be sent yet. */
  | (Acquainted & { readonly kind: 'greeted' | 'initialized' })
  | { readonly kind: 'closed' };

/** How far a session and its client have come with each other. */
export class Acquaintance {
  readonly #entry: string | undefined;
  #state: State = { kind: 'new' };

  /** `entry`: id of the client, where its entry says so. */
  constructor(entry: string | undefined) {
    this.#entry = entry;
  }

  /** What the client is known as, the surest first. */
  get names(): readonly string[] {
    return [this.#entry, this.known?.client.name].filter((name) => name !== undefined);
  }

  /** Undefined before it has introduced itself, and once it is over. */
  get known(): Acquainted | undefined {
    return 'client' in this.#state ? this.#state : undefined;
  }

  /** It may be sent notices. */
  get isInitialized(): boolean {
    return this.#state.kind === 'initialized';
  }

  /** To be called where its greeting fails: then it is unknown again, unless more has happened. */
  greeted(acquainted: Acquainted): () => void {
    const greeted = { kind: 'greeted', ...acquainted } as const;
    this.#state = greeted;
    return () => {
      if (this.#state === greeted) this.#state = { kind: 'new' };
    };
  }

  /** False where it was not the time for that. */
  initialized(): boolean {
    if (this.#state.kind !== 'greeted') return false;
    this.#state = { ...this.#state, kind: 'initialized' };
    return true;
  }

  /** False where it was over before. */
  close(): boolean {
    if (this.#state.kind === 'closed') return false;
    this.#state = { kind: 'closed' };
    return true;
  }
}
