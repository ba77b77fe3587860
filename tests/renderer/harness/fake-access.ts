import type { IpcCallName, IpcEvent, IpcInput, IpcOutput } from '../../../shared/ipc/contract.ts';
import type { AccessView, ApprovalRequest, Grant, Identity } from '../../../shared/model/access.ts';

type AccessCall = Extract<IpcCallName, `access.${string}`>;
type AccessHandlers = { [N in AccessCall]: (input: IpcInput<N>) => IpcOutput<N> };

interface Pushes {
  readonly access: (view: AccessView) => void;
  readonly approvals: (event: IpcEvent<'approvals.changed'>) => void;
}

/** Made-up identities and grants, kept as the real ones are. */
export function fakeAccess(
  first: () => AccessView,
  waiting: () => readonly ApprovalRequest[],
  push: Pushes,
): AccessHandlers {
  let made: AccessView | undefined;
  let approvals: readonly ApprovalRequest[] | undefined;
  let last = 0;
  const now = () => {
    made ??= first();
    return made;
  };
  const change = (next: Partial<AccessView>) => {
    made = { ...now(), ...next };
    push.access(made);
    return undefined;
  };
  const edit = (id: string, edited: (identity: Identity) => Identity) =>
    change({ identities: now().identities.map((one) => (one.id === id ? edited(one) : one)) });
  return {
    'access.get': now,
    'access.create': ({ kind, name, owner, expiresAt }) => {
      const identity: Identity = {
        id: `made-${++last}`,
        kind,
        name,
        createdAt: Date.now(),
        hasToken: false,
        ...(owner === undefined ? {} : { owner }),
        ...(expiresAt === undefined ? {} : { expiresAt }),
      };
      change({ identities: [...now().identities, identity] });
      return identity;
    },
    'access.copyToken': ({ id }) => edit(id, (identity) => ({ ...identity, hasToken: true })),
    'access.revoke': ({ id }) => edit(id, (identity) => ({ ...identity, revokedAt: Date.now() })),
    'access.restore': ({ id }) => edit(id, ({ revokedAt: _gone, ...identity }) => identity),
    'access.remove': ({ id }) =>
      change({
        identities: now().identities.filter((one) => one.id !== id),
        grants: now().grants.filter(({ identityId }) => identityId !== id),
      }),
    'access.grant': (input) => {
      const grant: Grant = {
        ...input,
        id: `grant-${++last}`,
        grantedAt: Date.now(),
        grantedBy: 'the window',
      };
      const isSame = (one: Grant) =>
        one.identityId === grant.identityId && JSON.stringify(one.scope) === JSON.stringify(grant.scope);
      change({ grants: [...now().grants.filter((one) => !isSame(one)), grant] });
      return grant;
    },
    'access.revokeGrant': ({ grantId }) =>
      change({ grants: now().grants.filter(({ id }) => id !== grantId) }),
    'access.issueToken': (asked) => {
      const createdAt = Date.now();
      const token = { ...asked, tokenId: `token-${++last}`, createdAt, expiresAt: createdAt + 15 * 60_000 };
      change({ tokens: [...now().tokens, token] });
      return { tokenId: token.tokenId, expiresAt: token.expiresAt };
    },
    'access.revokeToken': ({ tokenId }) =>
      change({ tokens: now().tokens.filter((token) => token.tokenId !== tokenId) }),
    'access.approvals': () => {
      approvals ??= waiting();
      return { approvals };
    },
    'access.answer': ({ approvalId }) => {
      approvals = (approvals ?? waiting()).filter(({ id }) => id !== approvalId);
      push.approvals({ approvals });
      return undefined;
    },
  };
}

export const noAccess: AccessView = { identities: [], grants: [], tokens: [], newClients: 'everything' };

const at = 1_764_300_000_000;

export const sampleAccess: AccessView = {
  identities: [
    { id: 'cursor', kind: 'client', name: 'cursor', createdAt: at, hasToken: false, lastSeenAt: at },
    {
      id: 'claude',
      kind: 'client',
      name: 'claude-ai',
      owner: 'Ann',
      createdAt: at,
      hasToken: false,
      lastSeenAt: at,
    },
    {
      id: 'night',
      kind: 'agent',
      name: 'night job',
      owner: 'Ann',
      createdAt: at,
      hasToken: true,
      expiresAt: at * 2,
    },
    { id: 'old', kind: 'agent', name: 'old script', createdAt: at, hasToken: true, revokedAt: at + 5 },
  ],
  grants: [
    {
      id: 'g1',
      identityId: 'cursor',
      effect: 'allow',
      scope: { kind: 'all' },
      grantedAt: at,
      grantedBy: 'first connection',
    },
    {
      id: 'g2',
      identityId: 'claude',
      effect: 'ask',
      scope: { kind: 'all' },
      grantedAt: at,
      grantedBy: 'first connection',
    },
    {
      id: 'g3',
      identityId: 'night',
      effect: 'allow',
      scope: { kind: 'server', serverKey: 'github' },
      grantedAt: at,
      grantedBy: 'the window',
    },
    {
      id: 'g4',
      identityId: 'night',
      effect: 'allow',
      needsToken: true,
      scope: { kind: 'tool', serverKey: 'filesystem', tool: 'write_file' },
      grantedAt: at,
      grantedBy: 'administrator',
    },
    {
      id: 'g5',
      identityId: 'night',
      effect: 'deny',
      scope: { kind: 'pattern', pattern: '*:delete_*' },
      grantedAt: at,
      grantedBy: 'the window',
    },
  ],
  tokens: [],
  newClients: 'everything',
};

export const sampleApprovals: readonly ApprovalRequest[] = [
  {
    id: 'a1',
    identityId: 'claude',
    clientName: 'claude-ai',
    serverKey: 'filesystem',
    tool: 'write_file',
    risk: 'high',
    argumentsText: '{"path":"/home/ann/notes.md","content":"Milk, bread"}',
    askedAt: at,
    expiresAt: at + 300_000,
    behind: 2,
  },
];
