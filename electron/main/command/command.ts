import { type Problem, toProblem } from '../../../shared/error/problem.ts';
import type { IpcEvent } from '../../../shared/ipc/contract.ts';

export const commandIds = [
  'open',
  'add-server',
  'paste-server',
  'open-palette',
  'open-servers',
  'open-clients',
  'open-settings',
  'turn-on-all',
  'turn-off-all',
  'copy-endpoint',
  'open-config-file',
  'open-data-folder',
  'check-updates',
  'quit',
] as const;
export type CommandId = (typeof commandIds)[number];

/** A command for the user; menu, tray and second launch all offer it. */
export interface UserCommand {
  readonly id: CommandId;
  readonly label: string;
  /** Electron's notation, for example `CmdOrCtrl+N`. */
  readonly accelerator?: string;
  /** Never rejects: a failure is shown to the user. */
  run(): Promise<void>;
}

export type UserCommands = Readonly<Record<CommandId, UserCommand>>;

/** Functions that commands call. */
export interface CommandTargets {
  readonly showWindow: () => void;
  readonly quit: () => void;
  readonly runInWindow: (command: IpcEvent<'command.run'>) => void;
  readonly copyEndpoint: () => Promise<void>;
  readonly openConfigFile: () => Promise<void>;
  readonly openDataFolder: () => Promise<void>;
  readonly checkUpdates: () => void;
  readonly reportFailure: (problem: Problem) => void;
}

export function createCommands(targets: CommandTargets): UserCommands {
  const inWindow = (command: IpcEvent<'command.run'>) => () => {
    targets.showWindow();
    targets.runInWindow(command);
  };
  const checkUpdates = () => {
    inWindow({ kind: 'open-about' })();
    targets.checkUpdates();
  };
  const list: readonly CommandRow[] = [
    { id: 'open', label: 'Open Patchbay', act: targets.showWindow },
    {
      id: 'add-server',
      label: 'Add Server…',
      accelerator: 'CmdOrCtrl+N',
      act: inWindow({ kind: 'add-server' }),
    },
    { id: 'paste-server', label: 'Paste Server…', act: inWindow({ kind: 'paste-server' }) },
    {
      id: 'open-palette',
      label: 'Command Palette…',
      accelerator: 'CmdOrCtrl+K',
      act: inWindow({ kind: 'open-palette' }),
    },
    { id: 'open-servers', label: 'Servers', act: inWindow({ kind: 'open-view', view: 'servers' }) },
    { id: 'open-clients', label: 'Clients', act: inWindow({ kind: 'open-view', view: 'clients' }) },
    {
      id: 'open-settings',
      label: 'Settings…',
      accelerator: 'CmdOrCtrl+,',
      act: inWindow({ kind: 'open-view', view: 'settings' }),
    },
    {
      id: 'turn-on-all',
      label: 'Turn On All Servers…',
      act: inWindow({ kind: 'turn-all-servers', enabled: true }),
    },
    {
      id: 'turn-off-all',
      label: 'Turn Off All Servers…',
      act: inWindow({ kind: 'turn-all-servers', enabled: false }),
    },
    { id: 'copy-endpoint', label: 'Copy Endpoint URL', act: targets.copyEndpoint },
    { id: 'open-config-file', label: 'Open mcp.json', act: targets.openConfigFile },
    { id: 'open-data-folder', label: 'Open Data Folder', act: targets.openDataFolder },
    { id: 'check-updates', label: 'Check for Updates…', act: checkUpdates },
    { id: 'quit', label: 'Quit Patchbay', accelerator: 'CmdOrCtrl+Q', act: targets.quit },
  ];
  const commands = list.map(({ act, ...row }) => ({
    ...row,
    run: () => attempt(act, targets.reportFailure),
  }));
  // Safe: the list above has a row for each id, which a test verifies.
  return Object.fromEntries(commands.map((command) => [command.id, command])) as Record<
    CommandId,
    UserCommand
  >;
}

/** Runs an action from outside the window, where no other code would show its failure. */
export async function attempt(
  act: () => void | Promise<void>,
  reportFailure: (problem: Problem) => void,
): Promise<void> {
  try {
    await act();
  } catch (error) {
    reportFailure(toProblem(error));
  }
}

type CommandRow = Omit<UserCommand, 'run'> & { readonly act: () => void | Promise<void> };
