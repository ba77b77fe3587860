import { type CrowdStep, type HeldCall, type Member, pickOf, type Question } from './crowd-parts.ts';
import { until } from './gateway.ts';
import { type Answers, createMemoryHub, type MemoryServer } from './memory-hub.ts';

type Params = Readonly<Record<string, unknown>>;

/** `pipe` servers tell no relation, as over stdio; `web` servers do, as over HTTP. */
const sharedKeys = ['pipe', 'pipe2', 'web'];
/** Each session has an instance of its own of these. */
const ownKeys = ['own', 'ownWeb'];
const serverKeys = [...sharedKeys, ...ownKeys];
const uris = ['file:///a', 'file:///b'];

/**
 * Clients that use servers all at once, shared ones and such as each has an instance of. Everything says whose it is, so
 * that whatever arrives at another shows: in `wrong`, one line for each. `seen` counts what arrived where it should.
 */
export async function createCrowd(size: number) {
  const wrong: string[] = [];
  const seen = new Map<string, number>();
  const held: HeldCall[] = [];
  const questions: Question[] = [];
  const elicitations: { readonly server: string; readonly elicitationId: string }[] = [];
  const members: Member[] = [];
  let serial = 0;

  /** Owner of each instance, set by its first call, and the tools that it has added since. */
  const owners = new Map<string, string>();
  const grown = new Map<string, { readonly name: string }[]>();

  const hub = createMemoryHub(Object.fromEntries(serverKeys.map((key) => [key, server(key, key)])), {
    isolated: Object.fromEntries(ownKeys.map((key) => [key, ({ id }) => server(key, id)])),
  });
  for (const key of serverKeys) await hub.connect(key);
  for (let index = 0; index < size; index++) members.push(await join());

  function count(what: string): void {
    seen.set(what, (seen.get(what) ?? 0) + 1);
  }

  function check(what: string, got: unknown, expected: unknown): void {
    if (got === expected) count(what);
    else wrong.push(`${what}: ${String(got)} came to ${String(expected)}`);
  }

  function server(key: string, place: string): MemoryServer {
    const capabilities = { tools: {}, logging: {}, resources: { subscribe: true } };
    const answers: Answers = {
      'tools/call': (params, sentAs) =>
        new Promise((end) => {
          const { owner } = params.arguments as { owner: string };
          const token = (params._meta as Params | undefined)?.progressToken;
          held.push({ server: place, owner, sentAs, token, end });
          if (place === key) return;
          // An instance that two sessions get at is as wrong as it can be.
          check('instance', owner, owners.get(place) ?? owner);
          owners.set(place, owner);
        }),
      'tools/list': () => ({ tools: [{ name: 'work' }, ...(grown.get(place) ?? [])] }),
      'resources/list': () => ({ resources: [] }),
      'logging/setLevel': () => ({}),
      'resources/subscribe': () => ({}),
      'resources/unsubscribe': () => ({}),
    };
    const offer = {
      tools: [{ name: 'work', inputSchema: { type: 'object' } }],
      resources: uris.map((uri) => ({ uri: `${uri}/${key}`, name: uri })),
      capabilities,
    };
    return { answers, capabilities, offer, relates: key.toLowerCase().endsWith('web') };
  }

  async function join(): Promise<Member> {
    serial += 1;
    const name = `client ${serial}`;
    const asked: (() => void)[] = [];
    const answer = (params: Params) => {
      check('question', params.owner, name);
      return new Promise((resolve) => asked.push(() => resolve({ owner: name })));
    };
    const talker = await hub.client({ 'sampling/createMessage': answer, 'elicitation/create': answer });
    const member: Member = {
      name,
      talker,
      level: serial % 2 === 0,
      calls: [],
      asked,
      subscribed: new Set(),
      isGone: false,
    };
    if (member.level) await talker.ask('logging/setLevel', { level: 'debug' });
    return member;
  }

  function call(member: Member, server: string): void {
    // Every client chooses the same tokens, as clients do.
    const _meta = { progressToken: member.calls.length };
    const nonce = serial++;
    const params = { name: `${server}:work`, arguments: { owner: member.name, nonce }, _meta };
    const pending = member.talker.peer.request('tools/call', params);
    member.calls.push(pending);
    pending.result.then(
      (result) => check('result', (result as Params).owner, member.name),
      () => count('error'),
    );
  }

  function ask(from: HeldCall, byUrl: boolean): void {
    const params = { owner: from.owner, relatedTo: from.sentAs, messages: [], message: '', maxTokens: 1 };
    const elicitationId = `e${serial++} of ${from.owner}`;
    const { peer } = hub.server(from.server);
    const pending = byUrl
      ? peer.request('elicitation/create', { ...params, mode: 'url', url: 'https://x.org', elicitationId })
      : peer.request('sampling/createMessage', params);
    questions.push({ server: from.server, pending });
    pending.result.then(
      (result) => {
        check('reply', (result as Params).owner, from.owner);
        if (byUrl) elicitations.push({ server: from.server, elicitationId });
      },
      () => count('refusal'),
    );
  }

  /** Checks the messages that arrived since the last look. */
  function inspect(member: Member): void {
    for (const { method, params = {} } of member.talker.notices.splice(0)) {
      if (method === 'notifications/progress') check('progress', params.message, member.name);
      if (method === 'notifications/message' && (params.logger === 'own' || !member.level))
        check('log', params.data, member.name);
      if (method === 'notifications/elicitation/complete')
        check('complete', String(params.elicitationId).replace(/^e\d+ of /, ''), member.name);
      // Any message of an instance belongs to its client, requested or not.
      if (method === 'notifications/resources/updated' && params.owner !== undefined)
        check('own updated', params.owner, member.name);
      else if (method === 'notifications/resources/updated')
        check('updated', member.subscribed.has(String(params.uri)), true);
      if (method === 'notifications/tools/list_changed') count('own list');
    }
  }

  async function act(kind: CrowdStep, pick: number, other: number): Promise<void> {
    const member = pickOf(members, pick);
    const server = pickOf(serverKeys, other) ?? 'pipe';
    const work = pickOf(held, pick);
    const [place, owner] = pickOf([...owners], other) ?? [];
    if (member === undefined) return;
    switch (kind) {
      case 'call':
        return call(member, server);
      case 'answer':
        if (work === undefined) return;
        held.splice(held.indexOf(work), 1);
        return work.end({ owner: work.owner, content: [] });
      case 'ask':
        return work === undefined ? undefined : ask(work, other % 2 === 0);
      case 'progress':
        if (work === undefined) return;
        return void say(work.server, 'notifications/progress', {
          progressToken: work.token,
          progress: serial++,
          message: work.owner,
        });
      case 'log':
        if (work === undefined) return;
        return void say(work.server, 'notifications/message', {
          level: 'info',
          data: work.owner,
          relatedTo: work.sentAs,
        });
      case 'reply':
        return member.asked.splice(other % Math.max(member.asked.length, 1), 1)[0]?.();
      case 'cancelCall':
        return void member.talker.peer
          .notify('notifications/cancelled', { requestId: pickOf(member.calls, other)?.id })
          .catch(() => {});
      case 'cancelQuestion': {
        const question = pickOf(questions, pick);
        return (
          question && void say(question.server, 'notifications/cancelled', { requestId: question.pending.id })
        );
      }
      case 'complete': {
        const [done] = elicitations.splice(pick % Math.max(elicitations.length, 1), 1);
        if (done === undefined) return;
        const { elicitationId } = done;
        return void say(done.server, 'notifications/elicitation/complete', { elicitationId });
      }
      case 'subscribe': {
        const uri = `${pickOf(uris, other)}/${server}`;
        member.subscribed.add(uri);
        return void member.talker.ask('resources/subscribe', { uri }).catch(() => {});
      }
      case 'update':
        return update(pickOf([...sharedKeys, ...owners.keys()], other) ?? 'pipe', pick);
      case 'outside':
        return place === undefined || owner === undefined ? undefined : speakOutside(place, owner, pick);
      case 'grow': {
        if (place === undefined || owner === undefined) return;
        const tools = grown.get(place) ?? [];
        grown.set(place, [...tools, { name: `extra${tools.length} of ${owner}` }]);
        return say(place, 'notifications/tools/list_changed', {});
      }
      case 'list':
        return list(member);
      case 'reconnect':
        if (pick % 4 !== 0) return;
        inspect(member);
        await member.talker.peer.close();
        members[members.indexOf(member)] = await join();
        return;
      case 'restart':
        if (pick % 16 !== 0) return;
        await settle();
        return restart(pickOf([...sharedKeys, ...owners.keys()], other) ?? 'pipe');
      case 'settle':
        return settle();
    }
  }

  /** An instance alone says and asks things outside of calls that somebody must get. */
  function speakOutside(place: string, owner: string, pick: number): void {
    if (pick % 2 === 0) say(place, 'notifications/message', { level: 'debug', logger: 'own', data: owner });
    else ask({ server: place, owner, sentAs: undefined, token: undefined, end: () => {} }, pick % 4 === 1);
  }

  function update(place: string, pick: number): void {
    const key = hub.made.find(({ identity }) => identity.id === place)?.identity.key;
    const uri = `${pickOf(uris, pick)}/${key ?? place}`;
    say(place, 'notifications/resources/updated', {
      uri,
      ...(key === undefined ? {} : { owner: owners.get(place) }),
    });
  }

  function list(member: Member): void {
    member.talker.ask('tools/list').then(
      (listed) => {
        for (const { name } of (listed as { readonly tools: readonly { readonly name: string }[] }).tools) {
          const [, owner] = / of (.*)$/.exec(name) ?? [];
          if (owner !== undefined) check('own tool', owner, member.name);
        }
      },
      () => count('error'),
    );
  }

  async function restart(place: string): Promise<void> {
    for (const work of held.filter((each) => each.server === place)) held.splice(held.indexOf(work), 1);
    const instance = hub.made.find(({ identity }) => identity.id === place);
    grown.delete(place);
    if (instance === undefined) {
      await hub.crash(place);
      await hub.connect(place);
    } else if (instance.told.at(-1) === 'end') owners.delete(place);
    else await hub.restartInstance(instance);
  }

  function say(server: string, method: string, params: Params): void {
    hub
      .server(server)
      .peer.notify(method, params)
      .catch(() => {});
  }

  async function settle(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    for (const member of members) inspect(member);
  }

  return {
    wrong,
    seen,
    act,
    /** Ends every call and lets everything in progress arrive. */
    async finish(): Promise<void> {
      await settle();
      for (const work of held.splice(0)) work.end({ owner: work.owner, content: [] });
      for (const member of members) for (const reply of member.asked.splice(0)) reply();
      for (const member of members) await member.talker.ask('ping');
      await until('the last messages', async () => {
        await settle();
        return true;
      });
    },
    [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
  };
}
