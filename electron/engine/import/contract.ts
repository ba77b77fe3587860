import type {
  ImportChoices,
  ImportPreview,
  ImportResult,
  MoveChoices,
  MovePreview,
  MoveRequest,
  MoveResult,
} from '../../../shared/model/import-session.ts';
import type { Connector } from '../clients/contract.ts';
import type { Machine } from '../clients/machine.ts';
import type { ConfigStore } from '../config/contract.ts';

/**
 * Imports servers from other apps, files and texts; the rows of `shared/ipc/import-calls.ts` describe each
 * method. Previews contain no value that may be a secret: real values stay here until the session is closed.
 * Methods reject with ProblemError.
 */
export interface Importer {
  /** Reads all files of apps as one list, or those of one client. */
  readApps(client?: string): Promise<ImportPreview>;
  /** Reads the files that the user chose, as one list. */
  readFiles(files: readonly string[]): Promise<ImportPreview>;
  parse(text: string): Promise<ImportPreview>;
  add(choices: ImportChoices): Promise<ImportResult>;
  previewMove(wish: MoveRequest): Promise<readonly MovePreview[]>;
  move(wish: MoveChoices): Promise<MoveResult>;
  undo(undoId: string): Promise<void>;
  close(session: string): void;
}

/** The vault functions that an import needs. */
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
  /** Folder for programs that come with their entry. */
  readonly bundles: string;
  readonly connector: Pick<Connector, 'list' | 'preview' | 'apply' | 'takeBack'>;
}
