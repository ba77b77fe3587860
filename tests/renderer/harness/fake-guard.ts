import type { IpcCallName, IpcInput, IpcOutput } from '../../../shared/ipc/contract.ts';
import type { GuardView, QuarantinedTool } from '../../../shared/model/guard.ts';
import type { ServerView } from '../../../shared/model/server.ts';
import { guardedServers, heldOf, reviewOf, sampleHeld } from './sample-guard.ts';

type GuardCall = Extract<IpcCallName, `guard.${string}`>;
type GuardHandlers = { [N in GuardCall]: (input: IpcInput<N>) => IpcOutput<N> };

/** Fakes quarantined tools for the sample servers. */
export function fakeGuard(
  push: (view: GuardView) => void,
  changeServer: (key: string, change: Partial<ServerView>) => void,
): GuardHandlers {
  let held: readonly QuarantinedTool[] = sampleHeld();
  const undone = new Map<string, readonly QuarantinedTool[]>();
  const change = (next: readonly QuarantinedTool[]) => {
    held = next;
    push({ held });
    for (const key of guardedServers) changeServer(key, { heldTools: heldOf(key, held).heldTools });
    return undefined;
  };
  return {
    'guard.list': () => ({ held }),
    'guard.review': ({ serverKey, name }) => reviewOf(serverKey, name, held),
    'guard.decide': ({ serverKey, tools, decision }) => {
      const undoId = `undo-${undone.size}`;
      undone.set(undoId, held);
      const isMeant = (one: QuarantinedTool) =>
        one.serverKey === serverKey && tools.some((tool) => tool.name === one.name);
      const rest =
        decision === 'approve'
          ? held.filter((one) => !isMeant(one))
          : held.map((one) => (isMeant(one) ? { ...one, blocked: true } : one));
      change(rest);
      return { undoId };
    },
    'guard.undo': ({ undoId }) => change(undone.get(undoId) ?? held),
  };
}
