import type { IpcCallName, IpcEvent, IpcInput, IpcOutput } from '../../../shared/ipc/contract.ts';
import type { AccessView, ApprovalRequest, Grant, Identity } from '../../../shared/model/access/access.ts';

type AccessCall = Extract<IpcCallName, `access.${string}`>;
type AccessHandlers = { [N in AccessCall]: (input: IpcInput<N>) => IpcOutput<N> };

interface Pushes {
  readonly access: (view: AccessView) => void;
  readonly approvals: (event: IpcEvent<'approvals.changed'>) => void;
  /** Called when the hub's problem is solved. */
  readonly solved: () => void;
}

/** Fakes identities and grants with the real schema. */
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
    'access.answer': ({ approvalId, answer }) => {
      const asked = (approvals ?? waiting()).find(({ id }) => id === approvalId);
      if (answer === 'always' && asked !== undefined) {
        const { identityId, serverKey, tool } = asked;
        const scope = { kind: 'tool', serverKey, tool } as const;
        const made = {
          identityId,
          effect: 'allow',
          scope,
          grantedAt: Date.now(),
          grantedBy: 'the window',
        } as const;
        change({ grants: [...now().grants, { ...made, id: `grant-${++last}` }] });
      }
      approvals = (approvals ?? waiting()).filter(({ id }) => id !== approvalId);
      push.approvals({ approvals });
      return undefined;
    },
    'access.beginAnew': () => {
      push.solved();
      return undefined;
    },
  };
}

const noAccess: AccessView = {
  identities: [],
  grants: [],
  tokens: [],
  newClients: 'everything',
  askDestructive: false,
};

const at = 1_764_300_000_000;

const sampleAccess: AccessView = {
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
  askDestructive: false,
};

/** Returns access data that matches a scenario's servers. */
export function accessFor(servers: readonly string[]): AccessView {
  if (servers.length === 0) return noAccess;
  return servers.length > 30 ? manyAccess(servers) : sampleAccess;
}

/** Creates twenty identities, each with some rules about some of the servers. */
function manyAccess(servers: readonly string[]): AccessView {
  const identities = Array.from({ length: 20 }, (_, index): Identity => {
    const isAgent = index % 2 === 1;
    return {
      id: `many-${index}`,
      kind: isAgent ? 'agent' : 'client',
      name: isAgent ? `agent ${index}` : `client-${index}`,
      createdAt: at,
      hasToken: isAgent,
      ...(index === 7 ? { revokedAt: at } : {}),
    };
  });
  const grants = identities.flatMap(({ id, kind }, index): Grant[] => {
    const made = { identityId: id, grantedAt: at, grantedBy: 'the window' };
    const whole: Grant[] =
      kind === 'client' ? [{ ...made, id: `${id}-all`, effect: 'allow', scope: { kind: 'all' } }] : [];
    return [
      ...whole,
      ...servers
        .filter((_, column) => (index + column) % 3 === 0)
        .map((serverKey, column): Grant => {
          const effect = (['allow', 'ask', 'deny'] as const)[(index + column) % 3] ?? 'allow';
          return { ...made, id: `${id}-${column}`, effect, scope: { kind: 'server', serverKey } };
        }),
      { ...made, id: `${id}-p`, effect: 'deny', scope: { kind: 'pattern', pattern: '*:delete_*' } },
    ];
  });
  return { identities, grants, tokens: [], newClients: 'ask', askDestructive: false };
}

/** Returns three waiting calls: a risky one with more queued, one that reads, and one of an agent. */
export function sampleApprovals(now: number): readonly ApprovalRequest[] {
  const ask = (
    id: string,
    asked: number,
    request: Omit<ApprovalRequest, 'id' | 'askedAt' | 'expiresAt'>,
  ) => ({
    ...request,
    id,
    askedAt: now - asked,
    expiresAt: now - asked + 300_000,
  });
  return [
    ask('a1', 20_000, {
      identityId: 'claude',
      clientName: 'claude-ai',
      serverKey: 'github',
      tool: 'merge_pull_request',
      risk: 'high',
      argumentsText:
        '{"owner":"ada","repo":"engine","pull_number":42,"merge_method":"squash","token":"••••••••"}',
      behind: 2,
    }),
    ask('a2', 9_000, {
      identityId: 'claude',
      clientName: 'claude-ai',
      serverKey: 'filesystem',
      tool: 'read_file',
      risk: 'low',
      argumentsText: '{"path":"/home/ada/notes.md"}',
      behind: 0,
    }),
    ask('a3', 2_000, {
      identityId: 'night',
      clientName: 'night job',
      serverKey: 'postgres',
      tool: 'query',
      risk: 'low',
      argumentsText: '{"sql":"select count(*) from orders","params":[]}',
      behind: 0,
    }),
  ];
}
