import type { UpdateOffer } from '../../../shared/model/hub/app-update.ts';

/** The functions we use of the update library. */
export interface UpdaterPort {
  /** Resolves to a newer version, if there is one. */
  check(): Promise<UpdateOffer | undefined>;
  /** Downloads and verifies the update. Aborting the signal is not a failure. */
  download(onPercent: (percent: number) => void, signal: AbortSignal): Promise<void>;
  /** Returns the reason why the update cannot be installed, if that is certain. */
  obstacle(): string | undefined;
  /**
   * Replaces this program and starts the new one; the library then ends this process. False if nothing was
   * replaced.
   */
  install(): boolean;
}
