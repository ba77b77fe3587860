import type { Problem } from '../../../shared/error/problem.ts';
import { attempt, type UserCommands } from '../command/command.ts';
import type { SystemPort } from '../ipc/handler-context.ts';
import type { HubLifecycle } from '../lifecycle/hub-lifecycle.ts';
import { signInByBrowser } from '../window/open-external.ts';
import type { TrayAction } from './tray-types.ts';

export interface TrayActionTargets {
  readonly hub: Pick<HubLifecycle, 'hub'>;
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

async function carryOut(targets: TrayActionTargets, action: TrayAction): Promise<void> {
  const { hub, commands, openServer, reviewTools, connectClient, showApprovals } = targets;
  switch (action.kind) {
    case 'command':
      return commands[action.id].run();
    case 'set-enabled':
      return hub.hub.run('server.setEnabled', { key: action.key, enabled: action.enabled });
    case 'restart':
      return hub.hub.run('server.restart', { key: action.key });
    case 'sign-in':
      return signIn(targets, action.key);
    case 'open-server':
      return openServer(action.key);
    case 'assign-profile':
      return hub.hub.run('profile.assign', { client: action.client, profile: action.profile });
    case 'review-tools':
      return reviewTools(action.key);
    case 'show-approvals':
      return showApprovals();
    case 'connect-client':
      return connectClient(action.id);
  }
}

/** The server's page offers the address where no browser opened. */
async function signIn({ hub, system, openServer }: TrayActionTargets, key: string): Promise<void> {
  if (!(await signInByBrowser(hub.hub, system, key))) openServer(key);
}
