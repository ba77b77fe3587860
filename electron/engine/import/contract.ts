import type {
  ImportChoices,
  ImportPreview,
  ImportResult,
  MoveChoices,
  MovePreview,
  MoveResult,
  MoveWish,
} from '../../../shared/model/import-session.ts';
import type { Connector } from '../clients/contract.ts';
import type { Machine } from '../clients/machine.ts';
import type { ConfigStore } from '../config/contract.ts';

/**
 * Brings servers along from elsewhere; the rows of `shared/ipc/import-calls.ts` tell what each method does. Previews hold
 * no value that may be a secret: the real ones stay here until the session is closed. Methods reject with ProblemError.
 */
export interface Importer {
  /** All files of apps as one list, or those of one client. */
  readApps(client?: string): Promise<ImportPreview>;
  /** Files that the person pointed at, as one list. */
  readFiles(files: readonly string[]): Promise<ImportPreview>;
  parse(text: string): Promise<ImportPreview>;
  add(choices: ImportChoices): Promise<ImportResult>;
  previewMove(wish: MoveWish): Promise<readonly MovePreview[]>;
  move(wish: MoveChoices): Promise<MoveResult>;
  undo(undoId: string): Promise<void>;
  close(session: string): void;
}

/** The vault, as far as an import puts something into it. */
export interface ImportVault {
  get(name: string): string | undefined;
  isStored(name: string): boolean;
  set(name: string, value: string): Promise<void>;
  delete(name: string): Promise<void>;
}

export interface ImporterOptions {
  readonly config: ConfigStore;
  readonly vault: ImportVault;
  readonly machine: Machine;
  /** Where programs that come with their entry are put. */
  readonly bundles: string;
  readonly connector: Pick<Connector, 'list' | 'preview' | 'apply' | 'takeBack'>;
}
