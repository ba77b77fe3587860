import { Emitter } from '../../electron/engine/base/emitter.ts';
import type { Engine } from '../../electron/engine/hub/contract.ts';
import type { ApprovalRequest, Grant, Identity } from '../../shared/model/access.ts';

/** Who may call what at a fake engine: nobody is known, and it remembers what it was asked for. */
export function fakeAccess(record: (...call: unknown[]) => Promise<void>): Engine['access'] {
  const identity: Identity = { id: 'id-1', kind: 'agent', name: 'night job', createdAt: 1, hasToken: true };
  const token = { tokenId: 'token-1', expiresAt: 2 };
  return {
    view: () => ({ identities: [], grants: [], tokens: [], newClients: 'everything', askDestructive: false }),
    identities: () => [],
    byName: () => undefined,
    create: async (asked) => {
      await record('access.create', asked);
      return { ...identity, kind: asked.kind, name: asked.name };
    },
    rotate: async (id) => {
      await record('access.rotate', id);
      return { identity, token: 'pb_00000000_secret' };
    },
    revoke: (id) => record('access.revoke', id),
    restore: (id) => record('access.restore', id),
    remove: (id) => record('access.remove', id),
    grants: () => [],
    grant: async (input) => {
      await record('access.grant', input);
      return { ...input, id: 'grant-1', grantedAt: 1, grantedBy: input.grantedBy ?? '' } satisfies Grant;
    },
    revokeGrant: (grantId) => record('access.revokeGrant', grantId),
    tokens: () => [],
    issueToken: async (identityId, serverKey, tool) => {
      await record('access.issueToken', identityId, serverKey, tool);
      return token;
    },
    revokeToken: (tokenId) => record('access.revokeToken', tokenId),
    authorize: () => ({
      effect: 'deny',
      code: 'identity_unknown',
      reason: 'The client is unknown.',
      cached: false,
    }),
    identify: () => undefined,
    approvals: () => [],
    answer: (approvalId, answer) => record('access.answer', approvalId, answer),
    beginAnew: () => record('access.beginAnew'),
    setAskDestructive: (ask) => void record('access.setAskDestructive', ask),
    setNewClients: (newClients) => void record('access.setNewClients', newClients),
    clientConnected: (name) => record('access.clientConnected', name),
    onChange: new Emitter<never>().event,
    onApprovals: new Emitter<readonly ApprovalRequest[]>().event,
    onEvent: new Emitter<never>().event,
  };
}
