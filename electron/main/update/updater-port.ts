import type { UpdateOffer } from '../../../shared/model/app-update.ts';

/** What is asked of the library that updates the app. */
export interface UpdaterPort {
  /** Resolves to a newer version, if there is one. */
  check(): Promise<UpdateOffer | undefined>;
  /** Downloads what was found, and checks that it is what was announced. Aborting the signal is no failure. */
  download(onPercent: (percent: number) => void, signal: AbortSignal): Promise<void>;
  /** Why what was downloaded cannot be put in place, if that is certain. */
  obstacle(): string | undefined;
  /**
   * Puts it in the place of this program and starts it; then this process has to end, which the library sees to. False:
   * nothing was replaced.
   */
  install(): boolean;
}
