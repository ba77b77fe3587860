import type { BackupMade, BackupPreview, Restored, RestoreHow } from '../../../../shared/model/hub/backup.ts';
import type { Settings } from '../../../../shared/schema/settings.ts';

/** The owner of the settings, if that is not the engine. */
export interface SettingsPort {
  current(): Settings | Promise<Settings>;
  /** Applies and saves settings; rejects with ProblemError, changing nothing. */
  change(next: Settings): Promise<void>;
}

/** Backups of the whole setup, and the way back from one. Methods reject with ProblemError. */
export interface Backups {
  /** The text of a backup; with a passphrase, stored secrets and sign-ins are in it, encrypted. */
  make(options: {
    readonly passphrase?: string | undefined;
  }): Promise<BackupMade & { readonly text: string }>;
  /** Compares a backup with the present setup; writes nothing. */
  preview(text: string): Promise<BackupPreview>;
  /** Restores a backup in one step; its secrets only with their passphrase. */
  restore(text: string, options: RestoreOptions): Promise<Restored>;
  /** Brings back what was there before; rejects with `backup.undo_gone` where it has changed since. */
  undo(undoId: string): Promise<void>;
}

export interface RestoreOptions {
  readonly how: RestoreHow;
  readonly passphrase?: string | undefined;
}
