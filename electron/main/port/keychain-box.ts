import type { SafeStorage } from 'electron';
import type { SecretBox } from '../../engine/engine.ts';

/** The part of Electron's safeStorage that we use, which exists in older and newer versions. */
type Keychain = Pick<
  SafeStorage,
  'isEncryptionAvailable' | 'getSelectedStorageBackend' | 'encryptString' | 'decryptString'
>;

export interface KeychainBoxOptions {
  readonly keychain: Keychain;
  readonly platform: NodeJS.Platform;
  /** Called if a keychain that should be available cannot be used. */
  readonly onError: (error: unknown) => void;
}

/**
 * Returns a secret box backed by the system's keychain, or undefined if there is none to trust. Call it once
 * the app is ready, and as late as possible: a locked keychain may prompt the user.
 */
export function keychainBox(options: KeychainBoxOptions): SecretBox | undefined {
  const { keychain } = options;
  if (!isTrusted(options)) return undefined;
  return {
    kind: 'keychain',
    encrypt: async (text) => keychain.encryptString(text).toString('base64url'),
    decrypt: async (text) => keychain.decryptString(Buffer.from(text, 'base64url')),
  };
}

function isTrusted({ keychain, platform, onError }: KeychainBoxOptions): boolean {
  try {
    // Without a keychain Chromium on Linux "encrypts" with a password from its source code.
    if (platform === 'linux' && untrusted.has(keychain.getSelectedStorageBackend())) return false;
    return keychain.isEncryptionAvailable();
  } catch (error) {
    onError(error);
    return false;
  }
}

const untrusted: ReadonlySet<string> = new Set(['basic_text', 'unknown']);
