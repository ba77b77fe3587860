import type { Problem } from '../../../shared/error/problem.ts';
import type { IpcEvent } from '../../../shared/ipc/contract.ts';
import type { SystemPort } from '../ipc/handler-context.ts';
import type { HubLifecycle } from '../lifecycle/hub-lifecycle.ts';
import { createCommands, type UserCommands } from './command.ts';
import type { ConnectionKind } from './connection-text.ts';

export interface ShellCommandContext {
  readonly hub: Pick<HubLifecycle, 'view'>;
  readonly system: SystemPort;
  /** Asks what to do about connected clients, then quits. */
  readonly askToQuit: () => void;
  readonly showWindow: () => void;
  readonly runInWindow: (command: IpcEvent<'command.run'>) => void;
  readonly checkUpdates: () => void;
  readonly copyConnection: (what: ConnectionKind) => Promise<void>;
  readonly reportFailure: (problem: Problem) => void;
}

/** Makes the user commands over the hub and the system. */
export function createShellCommands(context: ShellCommandContext): UserCommands {
  const { hub, system, copyConnection } = context;
  return createCommands({
    ...context,
    quit: context.askToQuit,
    copyEndpoint: async () => copyConnection('url'),
    openConfigFile: () => system.openPath(hub.view().configFile),
    openDataFolder: () => system.openPath(hub.view().dataDir),
  });
}
