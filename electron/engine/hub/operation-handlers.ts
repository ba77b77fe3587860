import { ProblemError } from '../../../shared/error/problem.ts';
import { accessOperations } from '../access/access-operations.ts';
import { auditOperations } from '../activity/audit/audit-operations.ts';
import type { OperationHandlers } from '../base/operation-handlers.ts';
import { connectOperations } from '../clients/connect-operations.ts';
import type { Connector } from '../clients/contract.ts';
import type { Limits } from '../config/limits/limits.ts';
import { importOperations } from '../import/import-operations.ts';
import { clientOperations } from '../inspection/client-inspection.ts';
import { guardOperations } from '../pinning/guard-operations.ts';
import { profileOperations } from '../profiles/profile-operations.ts';
import { searchOperations } from '../search/service/search-operations.ts';
import { valueOperations } from '../secrets/enter-value.ts';
import { secretOperations } from '../secrets/secret-operations.ts';
import type { HubChecks } from '../tester/checks.ts';
import type { HubTester } from '../tester/hub-tester.ts';
import { testerOperations } from '../tester/tester-operations.ts';
import { activityOperations } from './activity-operations.ts';
import { appIsRunning } from './admin/other-hub.ts';
import type { EngineConfig, EnginePorts } from './contract.ts';
import type { RunningHub } from './running-hub.ts';
import { restartServer, serverOperations } from './server-operations.ts';
import { activeCalls, hubView, serverViews } from './view/views.ts';

export interface OperationHandlersOptions {
  readonly hub: RunningHub;
  readonly ports: EnginePorts;
  readonly settings: EngineConfig;
  readonly connector: Connector;
  readonly limits: Limits;
  readonly tester: HubTester;
  readonly checks: HubChecks;
}

/** Collects the handlers of all rooms: one for each row of the table of operations. */
export function operationHandlers(options: OperationHandlersOptions): OperationHandlers {
  const { hub, ports, settings, connector, limits, tester, checks } = options;
  const { clock, catalogue, backup } = hub;
  const { saveAskDestructive = async () => {} } = ports;
  const access = accessOperations({ access: hub.access, catalogue, clock, saveAskDestructive });
  return {
    'hub.status': () => ({
      hub: hubView(settings, hub),
      servers: serverViews(hub),
      clients: hub.clients(),
      waiting: hub.access.approvals.list(),
    }),
    'hub.stop': () => {
      const { endAsked } = ports;
      if (endAsked === undefined) throw new ProblemError(appIsRunning());
      // The answer is sent before the hub stops.
      setTimeout(endAsked, answerMs);
      return { pid: process.pid };
    },
    'hub.setPort': ({ port }) => hub.setPort(port),
    ...serverOperations(hub),
    ...valueOperations({ ...hub, restart: (key) => restartServer(hub, key) }),
    ...connectOperations(connector, (name) => access['access.clientConnected']({ name })),
    ...secretOperations(hub),
    ...importOperations(hub, { connector, ports, settings }),
    ...testerOperations(tester, checks),
    ...activityOperations(hub, () => activeCalls(hub)),
    ...access,
    ...guardOperations(hub.guard),
    ...clientOperations(hub),
    ...profileOperations(hub.profiles),
    'limits.list': () => limits.list(),
    ...auditOperations(hub),
    ...searchOperations(hub.search),
    'backup.make': (options) => backup.make(options),
    'backup.preview': ({ text }) => backup.preview(text),
    'backup.restore': ({ text, ...how }) => backup.restore(text, how),
    'backup.undo': ({ undoId }) => backup.undo(undoId),
  };
}

/** Milliseconds for the answer to be sent. */
const answerMs = 100;
