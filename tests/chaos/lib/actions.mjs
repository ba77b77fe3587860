import {
  judgeAsk,
  judgeCall,
  judgeForeignEcho,
  judgeKeyed,
  judgeLarge,
  judgePrompt,
  judgeResource,
  judgeTools,
} from './judge.mjs';

/** Actions of clients, with their frequency. */
const weights = {
  echo: 18,
  slow: 8,
  cancelled: 6,
  read: 6,
  put: 6,
  write: 16,
  ask: 8,
  fail: 2,
  crash: 1,
  hang: 1,
  garbage: 2,
  log: 3,
  change: 2,
  foreign: 4,
  unknown: 1,
  tools: 7,
  lists: 3,
  resource: 4,
  subscribe: 2,
  prompt: 3,
  ping: 2,
  wake: 0.5,
  large: 1.5,
  keyed: 3,
};

/**
 * Returns the next concurrent actions of a client, each for {@link ChaosClient.ask}; the cast tells what each
 * server supports. `frequency` is how often each kind is chosen.
 */
export function nextActions(random, cast, frequency = weights) {
  const kind = random.weighted(frequency);
  const chosen = [actions[kind](random, cast)].flat();
  if (chosen.includes(undefined)) return nextActions(random, cast, frequency);
  return chosen.map((action) => ({ terms: cast.terms.get(action.server), ...action, kind }));
}

/** A call of one of our servers' tools. `settings` are arguments besides who calls. */
export function callOf(server, tool, { settings = {}, judge = judgeCall, ...more } = {}) {
  return {
    kind: tool,
    method: 'tools/call',
    server,
    tool,
    params: ({ client, call, id }) => ({
      name: `${server}__${tool}`,
      arguments: { client, call, ...settings },
      _meta: {
        ...(more.tellsProgress ? { progressToken: id } : {}),
        ...(more.key === undefined ? {} : { 'patchbay/idempotencyKey': more.key }),
      },
    }),
    judge,
    ...more,
  };
}

const actions = {
  echo: (random, { ours }) => callOf(random.pick(ours), 'echo'),
  slow: (random, { ours }) =>
    callOf(random.pick(ours), 'slow', {
      settings: { milliseconds: random.between(50, 1_500) },
      tellsProgress: random.chance(0.8),
    }),
  cancelled: (random, { ours }) =>
    callOf(random.pick(ours), random.pick(['slow', 'echo', 'write']), {
      settings: { milliseconds: random.between(50, 1_000) },
      cancelAfter: random.between(0, 400),
      tellsProgress: true,
    }),
  read: (random, { ours }) => noted(random, ours, 'read'),
  put: (random, { ours }) => noted(random, ours, 'put'),
  write: (random, { ours }) => noted(random, ours, 'write'),
  ask: (random, { quiet }) =>
    callOf(random.pick(quiet), 'ask', {
      settings: { how: random.pick(['sampling', 'elicitation']) },
      judge: judgeAsk,
    }),
  fail: (random, { ours }) => callOf(random.pick(ours), 'fail'),
  crash: (random, { fragile, budget }) => {
    const key = random.pick(fragile);
    return key !== undefined && budget.take(key) ? callOf(key, 'crash') : undefined;
  },
  hang: (random, { fragile }) =>
    fragile.length === 0
      ? undefined
      : callOf(random.pick(fragile), 'hang', { settings: { milliseconds: random.between(200, 2_000) } }),
  garbage: (random, { ours }) => callOf(random.pick(ours), 'garbage'),
  log: (random, { ours }) => callOf(random.pick(ours), 'log'),
  change: (random, { ours }) => callOf(random.pick(ours), 'change'),
  foreign: (random, { foreign }) =>
    foreign.length === 0
      ? undefined
      : callOf(random.pick(foreign), 'echo', {
          params: ({ call }) => ({ name: 'everything__echo', arguments: { message: call } }),
          judge: judgeForeignEcho,
        }),
  unknown: (random, { ours }) => callOf(random.pick(ours), 'nothing-of-this-name'),
  tools: (_random, { steady }) => ({
    method: 'tools/list',
    params: () => ({}),
    judge: (result) => judgeTools(result, steady),
  }),
  lists: (random) => ({
    method: random.pick(['resources/list', 'prompts/list', 'resources/templates/list']),
    params: () => ({}),
  }),
  resource: (random, { ours }) => {
    const server = random.pick(ours);
    const uri = `chaos://${server}/${random.pick(['a', 'b'])}`;
    return { method: 'resources/read', server, uri, params: () => ({ uri }), judge: judgeResource };
  },
  subscribe: (random, { ours }) => {
    const uri = `chaos://${random.pick(ours)}/${random.pick(['a', 'b'])}`;
    return { method: 'resources/subscribe', params: () => ({ uri }) };
  },
  prompt: (random, { ours }) => {
    const server = random.pick(ours);
    return {
      method: 'prompts/get',
      server,
      params: ({ client, call }) => ({ name: `${server}__greet`, arguments: { client, call } }),
      judge: judgePrompt,
    };
  },
  ping: () => ({ method: 'ping' }),
  large: (random, { ours }) => {
    const text = 'x'.repeat(random.between(10_000, 2_000_000));
    return callOf(random.pick(ours), 'echo', { settings: { text }, judge: judgeLarge(text.length) });
  },
  /** Twice under one key: what the first one brings is what both bring. */
  keyed: (random, { ours }) => {
    const server = random.pick(ours);
    const key = `key ${random.between(0, 2 ** 31)}`;
    const settings = { call: key, milliseconds: random.between(0, 300) };
    const judge = judgeKeyed(key);
    return [1, 2].map(() => callOf(server, 'put', { settings, key, judge }));
  },
  wake: (random, { sleepy }) => (sleepy.length === 0 ? undefined : callOf(random.pick(sleepy), 'echo')),
};

/** Noted in the server's record before it is answered, so that a kill in between is seen. */
function noted(random, servers, tool) {
  return callOf(random.pick(servers), tool, { settings: { milliseconds: random.between(0, 400) } });
}
