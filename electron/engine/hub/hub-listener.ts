import type { Disposable } from '../base/emitter.ts';
import type { ConfigState } from '../config/contract.ts';
import type { HttpExtension } from '../gateway/http/http-requests.ts';
import type { AdminService } from '../gateway/socket/admin-session.ts';

/** Events of the running hub, for its owner. */
export interface HubListener {
  /** Serves other paths of the HTTP endpoint. */
  readonly rest: HttpExtension & Disposable;
  /** Answers commands over the socket. */
  readonly admin: AdminService;
  configChanged(state: ConfigState): void;
  serverChanged(key: string): void;
  offerChanged(key: string): void;
  hubChanged(): void;
  /** Applies restored settings; resolves to messages about those that could not be applied. */
  settingsRestored(text: string | undefined): Promise<readonly string[]>;
  checksRestored(): void;
  /** Writes files again that clients need; their folder was deleted, moved or replaced. */
  folderLost(): Promise<void>;
}
