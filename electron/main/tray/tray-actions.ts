import type { Problem } from '../../../shared/error/problem.ts';
import type { OperationName } from '../../../shared/operations/table.ts';
import type { Hub } from '../../engine/engine.ts';
import { attempt, type UserCommands } from '../command/command.ts';
import type { SystemPort } from '../ipc/handler-context.ts';
import type { HubLifecycle } from '../lifecycle/hub-lifecycle.ts';
import { signInByBrowser } from '../window/open-external.ts';
import type { RunAction, TrayAction } from './tray-types.ts';

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
    case 'run':
      return runOperation(hub.hub, action);
    case 'sign-in':
      return signIn(targets, action.key);
    case 'open-server':
      return openServer(action.key);
    case 'review-tools':
      return reviewTools(action.key);
    case 'show-approvals':
      return showApprovals();
    case 'connect-client':
      return connectClient(action.id);
  }
}

async function runOperation<N extends OperationName>(
  hub: Pick<Hub, 'run'>,
  { operation, input }: RunAction<N>,
): Promise<void> {
  await hub.run(operation, input);
}

/** The server's page offers the address where no browser opened. */
async function signIn({ hub, system, openServer }: TrayActionTargets, key: string): Promise<void> {
  if (!(await signInByBrowser(hub.hub, system, key))) openServer(key);
}
