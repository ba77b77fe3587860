import type { SecretKeeper } from '../../../../shared/model/hub/hub.ts';

/** Encrypts texts with a key that others cannot reach: in the system's keychain, or our own. */
export interface SecretBox {
  /** Stored with each encrypted value, so that it is only ever decrypted by the same kind of box. */
  readonly kind: SecretKeeper;
  encrypt(text: string): Promise<string>;
  /** Rejects if the text was not encrypted with the current key. */
  decrypt(text: string): Promise<string>;
}
