import type { AccessView } from '../../../../shared/model/access.ts';
import type { Clock } from '../../base/clock.ts';
import { createCoalescer } from '../../base/coalescer.ts';
import { type Disposable, Emitter, type Event } from '../../base/emitter.ts';
import type { OperationContext, OperationHandlers } from '../../base/operation-handlers.ts';
import type { Catalogue } from '../../catalogue/contract.ts';
import { runAccessCommand } from './access-commands.ts';
import { addConnectedClient } from './first-connection.ts';
import type { HubAccess } from './open-access.ts';

export interface AccessOperationsOptions {
  readonly access: HubAccess;
  readonly catalogue: { readonly current: Catalogue };
  readonly clock: Clock;
  /** Saves whether to ask before destructive tools, and applies it. */
  readonly saveAskDestructive: (isOn: boolean) => Promise<void>;
}

export function accessOperations(options: AccessOperationsOptions) {
  const { access, catalogue, clock, saveAskDestructive } = options;
  const { service: book, approvals: desk } = access;
  /** Changes hold at once; resolves when they are on disk. */
  async function change<T>(make: () => T): Promise<T> {
    const made = make();
    await book.saved();
    return made;
  }
  return {
    'access.get': () => access.view(),
    'access.create': (identity, context) => change(() => book.create(identity, actorOf(context))),
    'access.rotate': ({ id }, context) => change(() => book.rotate(id, actorOf(context))),
    'access.revoke': ({ id }, context) => change(() => book.revoke(id, actorOf(context))),
    'access.restore': ({ id }, context) => change(() => book.restore(id, actorOf(context))),
    'access.remove': ({ id }, context) => change(() => book.remove(id, actorOf(context))),
    'access.grant': (grant, context) => change(() => book.grant({ ...grant, grantedBy: actorOf(context) })),
    'access.revokeGrant': ({ grantId }, context) => change(() => book.revokeGrant(grantId, actorOf(context))),
    'access.issueToken': ({ identityId, serverKey, tool, ttlMs }, context) =>
      change(() => {
        const { tokenId, expiresAt } = book.issueToken(identityId, serverKey, tool, ttlMs, actorOf(context));
        return { tokenId, expiresAt };
      }),
    'access.revokeToken': ({ tokenId }, context) => change(() => book.revokeToken(tokenId, actorOf(context))),
    'access.approvals': () => ({ approvals: desk.list() }),
    'access.answer': ({ approvalId, answer }, context) =>
      change(() => desk.answer(approvalId, answer, actorOf(context))),
    'access.beginAnew': async (_, context) => {
      await book.beginAnew(actorOf(context));
      await book.saved();
    },
    'access.command': (command) =>
      runAccessCommand(
        {
          service: book,
          approvals: desk,
          newClients: access.newClients,
          clock,
          saveAskDestructive,
          catalogue: () => catalogue.current,
        },
        command,
      ),
    'access.clientConnected': ({ name }) =>
      change(() => addConnectedClient(book, name, 'connected in the window')),
  } satisfies Partial<OperationHandlers>;
}

/** Names the actor in the texts of access events. */
function actorOf({ by }: OperationContext): string {
  return by === 'window' ? 'the window' : by;
}

/** Tells changed views, a burst at a time. */
export function accessChanges(
  access: HubAccess,
  clock: Clock,
): Disposable & { readonly event: Event<AccessView> } {
  const changes = new Emitter<AccessView>();
  const changed = createCoalescer(clock, 50, () => changes.fire(access.view()));
  access.service.onChange(changed.mark);
  access.service.onLoaded(changed.mark);
  access.onSettings(changed.mark);
  return {
    event: changes.event,
    dispose() {
      changed.dispose();
      changes.dispose();
    },
  };
}
