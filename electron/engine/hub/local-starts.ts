import type { Clock } from '../base/clock.ts';
import type { ConfiguredServer } from '../config/contract.ts';
import type { Supervisor } from '../supervise/contract.ts';

/**
 * Resolves when all programs that the servers are have been started, as far as they start by themselves, or after a
 * moment. Until they can be talked to takes far longer than what else a hub opens, which is done meanwhile.
 */
export async function localStarts(
  { servers, onState }: Pick<Supervisor, 'servers' | 'onState'>,
  configured: readonly Pick<ConfiguredServer, 'key' | 'transport'>[],
  clock: Clock,
): Promise<void> {
  const keys = configured.filter(({ transport }) => transport === 'stdio').map(({ key }) => key);
  const areUnderWay = () => keys.some((key) => isUnderWay(servers.get(key)));
  if (!areUnderWay()) return;
  await new Promise<void>((resolve) => {
    const finish = () => {
      changes.dispose();
      timer.dispose();
      resolve();
    };
    const changes = onState(() => {
      if (!areUnderWay()) finish();
    });
    const timer = clock.after(patience, finish);
  });
}

type Server = NonNullable<ReturnType<Supervisor['servers']['get']>>;

function isUnderWay(server: Pick<Server, 'state'> | undefined): boolean {
  return server?.state.status === 'connecting' && server.state.pid === undefined;
}

/** Milliseconds; nobody is to wait for a login shell, or for what an earlier hub left behind to end. */
const patience = 100;
