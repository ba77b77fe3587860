import type { SecretKeeper } from '../../../shared/model/hub.ts';

/** Encrypts texts with a key that others cannot reach: the system's keychain, or a key of our own. */
export interface SecretBox {
  /** Names the box on each value it made, so that a value is only ever opened by its own. */
  readonly kind: SecretKeeper;
  encrypt(text: string): Promise<string>;
  /** Rejects when the text was not made with the present key. */
  decrypt(text: string): Promise<string>;
}
