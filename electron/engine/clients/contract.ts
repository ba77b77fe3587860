import type {
  AppliedFile,
  ConnectPreview,
  ConnectProof,
  ConnectSnippet,
  JournalRecord,
  UndoneFile,
} from '../../../shared/model/client/connect.ts';
import type { HubEvent } from '../../../shared/operations/events.ts';
import type { OperationInput, OperationOutput } from '../../../shared/operations/table.ts';
import type { Disposable, Event } from '../base/emitter.ts';
import type { RemovalsByFile } from './previews.ts';

/**
 * Writes our entry into other programs' configs, proves it, watches over it and takes it back; the rows of
 * `shared/operations/connect.ts` tell what each does. Methods reject with ProblemError.
 */
export interface Connector extends Disposable {
  list(): Promise<OperationOutput<'connect.list'>['clients']>;
  /** The person has pointed at the client's file; without one, the usual places count again. */
  setFile(id: string, file: string | undefined): Promise<void>;
  /** With `take`, entries of other servers are removed in the same step, since Patchbay now runs them. */
  preview(id: string, take?: RemovalsByFile): Promise<ConnectPreview>;
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
    wish: OperationInput<'connect.snippet'>,
  ): Promise<{ readonly shown: ConnectSnippet; readonly whole: string }>;
  /** Copies the `.mcpb` bundle to a permanent location, and returns that. */
  bundleFile(): Promise<string>;
  /** Checks the files that were written to; removed or changed entries are reported by {@link onChange}. */
  check(): Promise<void>;
  /** Writes the program again that clients start, if it is missing. */
  renewLauncher(): Promise<void>;
  readonly onChange: Event<HubEvent<'connect.changed'>>;
}
