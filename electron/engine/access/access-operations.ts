import type { AccessView } from '../../../shared/model/access/access.ts';
import type { Clock } from '../base/clock.ts';
import { createCoalescer } from '../base/coalescer.ts';
import { type Disposable, Emitter, type Event } from '../base/emitter.ts';
import type { OperationContext, OperationHandlers } from '../base/operation-handlers.ts';
import type { Catalogue } from '../catalogue/contract.ts';
import { runAccessCommand } from './access-commands.ts';
import type { HubAccess } from './hub-access.ts';
import { addConnectedClient } from './identify-client.ts';

export interface AccessOperationsOptions {
  readonly access: HubAccess;
  readonly catalogue: { readonly current: Catalogue };
  readonly clock: Clock;
  /** Saves whether to ask before destructive tools, and applies it. */
  readonly saveAskDestructive: (isOn: boolean) => Promise<void>;
}

export function accessOperations(options: AccessOperationsOptions) {
  const { access, catalogue, clock, saveAskDestructive } = options;
  const { service, approvals } = access;
  /** Changes take effect at once; resolves when they are on disk. */
  async function change<T>(make: () => T): Promise<T> {
    const made = make();
    await service.saved();
    return made;
  }
  return {
    'access.get': () => access.view(),
    'access.create': (identity, context) => change(() => service.create(identity, actorOf(context))),
    'access.rotate': ({ id }, context) => change(() => service.rotate(id, actorOf(context))),
    'access.revoke': ({ id }, context) => change(() => service.revoke(id, actorOf(context))),
    'access.restore': ({ id }, context) => change(() => service.restore(id, actorOf(context))),
    'access.remove': ({ id }, context) => change(() => service.remove(id, actorOf(context))),
    'access.grant': (grant, context) =>
      change(() => service.grant({ ...grant, grantedBy: actorOf(context) })),
    'access.revokeGrant': ({ grantId }, context) =>
      change(() => service.revokeGrant(grantId, actorOf(context))),
    'access.issueToken': ({ identityId, serverKey, tool, ttlMs }, context) =>
      change(() => {
        const { tokenId, expiresAt } = service.issueToken(
          identityId,
          serverKey,
          tool,
          ttlMs,
          actorOf(context),
        );
        return { tokenId, expiresAt };
      }),
    'access.revokeToken': ({ tokenId }, context) =>
      change(() => service.revokeToken(tokenId, actorOf(context))),
    'access.approvals': () => ({ approvals: approvals.list() }),
    'access.answer': ({ approvalId, answer }, context) =>
      change(() => approvals.answer(approvalId, answer, actorOf(context))),
    'access.beginAnew': async (_, context) => {
      await service.beginAnew(actorOf(context));
      await service.saved();
    },
    'access.command': (command) =>
      runAccessCommand(
        {
          service,
          approvals,
          newClients: access.newClients,
          clock,
          saveAskDestructive,
          catalogue: () => catalogue.current,
        },
        command,
      ),
    'access.clientConnected': ({ name }) =>
      change(() => addConnectedClient(service, name, 'connected in the window')),
  } satisfies Partial<OperationHandlers>;
}

/** Names the actor in the texts of access events. */
function actorOf({ by }: OperationContext): string {
  return by === 'window' ? 'the window' : by;
}

/** Sends changed views, one per burst of changes. */
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
