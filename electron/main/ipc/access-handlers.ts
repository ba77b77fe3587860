import type { IpcHandlers } from './dispatcher.ts';
import type { HandlerContext } from './handlers.ts';

/** Handles the calls of `access-calls.ts`, in the same order. */
export function accessHandlers({ engine: { access }, system }: HandlerContext) {
  return {
    'access.get': () => access.view(),
    'access.create': (identity) => access.create(identity, by),
    'access.copyToken': async ({ id }) => system.copyText((await access.rotate(id, by)).token),
    'access.revoke': ({ id }) => access.revoke(id, by),
    'access.restore': ({ id }) => access.restore(id, by),
    'access.remove': ({ id }) => access.remove(id, by),
    'access.grant': (grant) => access.grant({ ...grant, grantedBy: by }),
    'access.revokeGrant': ({ grantId }) => access.revokeGrant(grantId, by),
    'access.issueToken': ({ identityId, serverKey, tool }) =>
      access.issueToken(identityId, serverKey, tool, undefined, by),
    'access.revokeToken': ({ tokenId }) => access.revokeToken(tokenId, by),
    'access.approvals': () => ({ approvals: access.approvals() }),
    'access.answer': ({ approvalId, answer }) => access.answer(approvalId, answer, by),
    'access.beginAnew': () => access.beginAnew(by),
  } satisfies Partial<IpcHandlers>;
}

const by = 'the window';
