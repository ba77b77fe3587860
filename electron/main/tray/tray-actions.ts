import type { Problem } from '../../../shared/error/problem.ts';
import type { Engine } from '../../engine/engine.ts';
import { attempt, type UserCommands } from '../command/command.ts';
import type { SystemPort } from '../ipc/handlers.ts';
import { signInByBrowser } from '../window/open-external.ts';
import type { TrayAction } from './model.ts';

export interface TrayActionTargets {
  readonly engine: Pick<Engine, 'setEnabled' | 'restart' | 'signIn' | 'signInUnopened' | 'profiles'>;
  readonly system: Pick<SystemPort, 'openLink'>;
  readonly commands: UserCommands;
  readonly openServer: (key: string) => void;
  readonly reviewTools: (key: string) => void;
  readonly connectClient: (id: string) => void;
  readonly showApprovals: () => void;
  readonly reportFailure: (problem: Problem) => void;
}

/** Executes an action chosen in the tray; a failure is shown to the user. */
export function trayActions(targets: TrayActionTargets): (action: TrayAction) => Promise<void> {
  return (action) => attempt(() => carryOut(targets, action), targets.reportFailure);
}

function carryOut(targets: TrayActionTargets, action: TrayAction): void | Promise<void> {
  const { engine, commands, openServer, reviewTools, connectClient, showApprovals } = targets;
  switch (action.kind) {
    case 'command':
      return commands[action.id].run();
    case 'set-enabled':
      return engine.setEnabled([action.key], action.enabled);
    case 'restart':
      return engine.restart(action.key);
    case 'sign-in':
      return signIn(targets, action.key);
    case 'open-server':
      return openServer(action.key);
    case 'assign-profile':
      return engine.profiles.assign(action.client, action.profile);
    case 'review-tools':
      return reviewTools(action.key);
    case 'show-approvals':
      return showApprovals();
    case 'connect-client':
      return connectClient(action.id);
  }
}

/** The server's page offers the address if no browser could be opened. */
async function signIn({ engine, system, openServer }: TrayActionTargets, key: string): Promise<void> {
  if (!(await signInByBrowser(engine, system, key))) openServer(key);
}
