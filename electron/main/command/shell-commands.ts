import type { Problem } from '../../../shared/error/problem.ts';
import type { IpcEvent } from '../../../shared/ipc/contract.ts';
import type { Engine } from '../../engine/engine.ts';
import type { SystemPort } from '../ipc/handlers.ts';
import { createCommands, type UserCommands } from './command.ts';
import type { ConnectionKind } from './connection-text.ts';

export interface ShellCommandContext {
  readonly engine: Pick<Engine, 'hub'>;
  readonly system: SystemPort;
  /** Asks what to do about connected clients, then quits. */
  readonly askToQuit: () => void;
  readonly showWindow: () => void;
  readonly runInWindow: (command: IpcEvent<'command.run'>) => void;
  readonly checkUpdates: () => void;
  readonly copyConnection: (what: ConnectionKind) => Promise<void>;
  readonly reportFailure: (problem: Problem) => void;
}

/** Creates the user commands from the engine and the system. */
export function createShellCommands(context: ShellCommandContext): UserCommands {
  const { engine, system, copyConnection } = context;
  return createCommands({
    ...context,
    quit: context.askToQuit,
    copyEndpoint: async () => copyConnection('url'),
    openConfigFile: () => system.openPath(engine.hub().configFile),
    openDataFolder: () => system.openPath(engine.hub().dataDir),
  });
}
