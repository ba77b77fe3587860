import type { RecordHead } from '../contract.ts';
import type { Masking } from './masking.ts';

/** A head with its secrets masked, once for all records that share it. */
export class ShownHead {
  readonly head: RecordHead;
  readonly #masking: Masking;
  #name: string | undefined;
  #actor: string | undefined;

  constructor(head: RecordHead, masking: Masking) {
    this.head = head;
    this.#masking = masking;
  }

  /** `found` are the secrets of the record. */
  name(found: readonly string[]): string | undefined {
    const { name } = this.head;
    if (name === undefined) return undefined;
    if (found.length > 0) return this.#masking.text(name, found);
    this.#name ??= this.#masking.text(name);
    return this.#name;
  }

  /** Returns the caller. */
  actor(found: readonly string[]): string {
    const { audit, clientName, clientId = '' } = this.head;
    const actor = audit?.agent ?? clientName ?? clientId;
    if (found.length > 0) return this.#masking.text(actor, found);
    this.#actor ??= this.#masking.text(actor);
    return this.#actor;
  }
}
