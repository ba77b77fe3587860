import type { IpcEvent, IpcInput, IpcOutput } from '../../../shared/ipc/contract.ts';
import type {
  AppliedFile,
  ConnectPreview,
  ConnectProof,
  ConnectSnippet,
  JournalRecord,
  UndoneFile,
} from '../../../shared/model/connect.ts';
import type { Disposable, Event } from '../base/emitter.ts';
import type { TakenByFile } from './previews.ts';

/**
 * Writes our entry into the configs of other programs, tests it, watches over it and removes it; the rows of
 * `shared/ipc/connect-calls.ts` describe each method. Methods reject with ProblemError.
 */
export interface Connector extends Disposable {
  list(): Promise<IpcOutput<'connect.list'>['clients']>;
  /** Sets the client's file as the user chose it; without one, the default locations apply again. */
  setFile(id: string, file: string | undefined): Promise<void>;
  /** With `take`, entries of other servers are removed in the same step, since Patchbay now runs them. */
  preview(id: string, take?: TakenByFile): Promise<ConnectPreview>;
  apply(id: string, previewId: string): Promise<readonly AppliedFile[]>;
  prove(id: string): Promise<ConnectProof>;
  quitClient(id: string): Promise<boolean>;
  undo(id: string): Promise<readonly UndoneFile[]>;
  /** Undoes single writes of `apply` by their ids, and keeps earlier ones. */
  takeBack(id: string, writes: readonly string[]): Promise<readonly UndoneFile[]>;
  accept(id: string): Promise<void>;
  journal(): Promise<readonly JournalRecord[]>;
  /** `shown` has its token masked; `whole` only goes to the clipboard. */
  snippet(
    wish: IpcInput<'connect.snippet'>,
  ): Promise<{ readonly shown: ConnectSnippet; readonly whole: string }>;
  /** Copies the `.mcpb` bundle to a permanent location, and returns that. */
  bundleFile(): Promise<string>;
  /** Checks the files that were written to; removed or changed entries are reported by {@link onChange}. */
  check(): Promise<void>;
  readonly onChange: Event<IpcEvent<'connect.changed'>>;
}
