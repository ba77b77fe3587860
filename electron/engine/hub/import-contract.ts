import type {
  ImportChoices,
  ImportPreview,
  ImportResult,
  ImportSource,
} from '../../../shared/model/import-session.ts';

/**
 * The part of the engine that brings servers along from elsewhere; the rows of `shared/ipc/import-calls.ts` tell what
 * each does. Previews hold no value that may be a secret: the real ones stay here until the session is closed.
 */
export interface ImportEngine {
  readonly imports: {
    sources(): Promise<readonly ImportSource[]>;
    read(source: string): Promise<ImportPreview>;
    /** A file that the person pointed at. */
    readFile(file: string): Promise<ImportPreview>;
    parse(text: string): Promise<ImportPreview>;
    add(choices: ImportChoices): Promise<ImportResult>;
    undo(undoId: string): Promise<void>;
    close(session: string): void;
  };
}
