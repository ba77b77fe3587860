import type { BackupMade, BackupPreview, Restored, RestoreHow } from '../../../shared/model/hub/backup.ts';
import type { Settings } from '../../../shared/schema/settings.ts';

/** The owner of the settings, if that is not the engine. */
export interface SettingsPort {
  current(): Settings | Promise<Settings>;
  /** Applies and saves settings; rejects with ProblemError, changing nothing. */
  change(next: Settings): Promise<void>;
}

/** Creates backups of the whole setup and restores them. Methods reject with ProblemError. */
export interface Backups {
  /** Returns the text of a backup; with a passphrase it contains stored secrets and sign-ins, encrypted. */
  make(options: {
    readonly passphrase?: string | undefined;
  }): Promise<BackupMade & { readonly text: string }>;
  /** Compares a backup with the current setup; writes nothing. */
  preview(text: string): Promise<BackupPreview>;
  /** Restores a backup in one step; secrets need its passphrase. */
  restore(text: string, options: RestoreOptions): Promise<Restored>;
  /** Restores the state before a restore; rejects with `backup.undo_gone` if the setup has changed since. */
  undo(undoId: string): Promise<void>;
}

export interface RestoreOptions {
  readonly how: RestoreHow;
  readonly passphrase?: string | undefined;
}
