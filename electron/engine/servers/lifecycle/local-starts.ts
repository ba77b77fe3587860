import type { Clock } from '../../base/clock.ts';
import type { Supervisor } from '../contract.ts';

/**
 * Resolves when all local server processes that start automatically have been spawned, or after a timeout.
 * Connecting takes far longer; the rest of the hub opens meanwhile.
 */
export async function awaitLocalStarts(
  { servers, onState }: Pick<Supervisor, 'servers' | 'onState'>,
  configured: readonly { readonly key: string; readonly transport: string }[],
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
    const timer = clock.after(timeoutMs, finish);
  });
}

type Server = NonNullable<ReturnType<Supervisor['servers']['get']>>;

function isUnderWay(server: Pick<Server, 'state'> | undefined): boolean {
  return server?.state.status === 'connecting' && server.state.pid === undefined;
}

/** Milliseconds; startup must not wait for a login shell or for an earlier hub's processes to end. */
const timeoutMs = 100;
