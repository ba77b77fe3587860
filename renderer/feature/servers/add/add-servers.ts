import type { Problem } from '../../../../shared/error/problem.ts';
import type { IpcInput } from '../../../../shared/ipc/contract.ts';
import { openServer } from '../../../command/navigate.ts';
import { formatCount } from '../../../lib/text/format-amount.ts';
import type { Model } from '../../../store/model.ts';

type NewServers = IpcInput<'server.add'>['servers'];

/** Adds servers to the config and opens the page of a single one. Resolves to the problem, if any. */
export async function addServers(model: Model, servers: NewServers): Promise<Problem | undefined> {
  const answer = await model.link.call('server.add', { servers });
  if (!answer.ok) return answer.problem;
  const [first] = servers;
  if (servers.length === 1 && first !== undefined) {
    model.notify.done(`${first.key} was added.`);
    openServer(model, first.key, 'overview');
  } else {
    model.notify.done(`${formatCount(servers.length, 'server')} were added.`);
  }
  return undefined;
}
