import type { BackupMade, BackupPreview, Restored, RestoreHow } from '../../../../shared/model/backup.ts';
import type { Settings } from '../../../../shared/schema/settings.ts';

/** The owner of the settings, if that is not the engine. */
export interface SettingsPort {
  current(): Settings | Promise<Settings>;
  /** Applies and saves settings; rejects with ProblemError, changing nothing. */
  change(next: Settings): Promise<void>;
}

/** Backups of the whole setup, and restoring them. Methods reject with ProblemError. */
export interface BackupEngine {
  readonly backup: {
    /** Returns the text of a backup; with a passphrase it contains stored secrets and sign-ins, encrypted. */
    make(options: {
      readonly passphrase?: string | undefined;
    }): Promise<BackupMade & { readonly text: string }>;
    /** Compares a backup with the current setup; writes nothing. */
    preview(text: string): Promise<BackupPreview>;
    /** Restores a backup in one step; its secrets only with their passphrase. */
    restore(text: string, options: RestoreOptions): Promise<Restored>;
    /** Restores the previous state; rejects with `backup.undo_gone` if the setup has changed since. */
    undo(undoId: string): Promise<void>;
  };
}

export interface RestoreOptions {
  readonly how: RestoreHow;
  readonly passphrase?: string | undefined;
}
