import { prompts, resourcesOf, toolsOf } from './offer.mjs';
import { createTools } from './tools.mjs';

const prefix = 'io.modelcontextprotocol/';
/** Id of a hub's first question; those for its health have others. */
const probeId = 0;

/**
 * The server's side without sessions (MCP 2026-07-28), as in conversation.mjs. `gone(message)` tells that nobody waits
 * for a request any more.
 */
export function createModernConversation({ key, record, speakGarbage }) {
  const listens = new Map();
  const cancelled = new Set();
  const underWay = new Set();
  const state = { extra: false };
  const tools = createTools({
    key,
    record,
    speakGarbage,
    state,
    questions: { ask },
    underWay,
    isCancelled: (id) => cancelled.has(id),
  });
  const handlers = {
    'server/discover': (_params, { id }) => {
      if (id === probeId) for (const event of ['try', 'ready']) record(event);
      return cached(discovered(key));
    },
    'tools/list': () => cached({ tools: toolsOf(state) }),
    'resources/list': () => cached({ resources: resourcesOf(key) }),
    'resources/read': ({ uri }) => cached({ contents: [{ uri, text: `${key} has ${uri}` }] }),
    'prompts/list': () => cached({ prompts }),
    'prompts/get': ({ arguments: args }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: JSON.stringify({ server: key, ...args }) } }],
    }),
    'tools/call': (params, { id, send }) => tools(params, { id, send: (said) => speak(said, send, params) }),
    'subscriptions/listen': listen,
  };

  async function answer(message, send) {
    const { id, method, params = {} } = message;
    if (id === undefined) return method === 'notifications/cancelled' ? cancel(params.requestId) : undefined;
    const handler = handlers[method];
    try {
      if (params._meta?.[`${prefix}protocolVersion`] === undefined)
        throw { code: -32602, message: 'No envelope' };
      if (handler === undefined) throw { code: -32601, message: `Method not found: ${method}` };
      const result = await handler(params, { id, send });
      return cancelled.delete(id) ? undefined : { id, result: { resultType: 'complete', ...result } };
    } catch (error) {
      if (error?.asked !== undefined) return { id, result: { resultType: 'input_required', ...error.asked } };
      cancelled.delete(id);
      const { code = -32603, message: text = String(error) } = error ?? {};
      return { id, error: { code, message: text } };
    }
  }

  function cancel(id) {
    listens.get(id)?.end();
    if (underWay.delete(id)) cancelled.add(id);
  }

  /** Lasts until it is cancelled. */
  function listen({ notifications }, { id, send }) {
    const told = (method, params = {}) =>
      send({ method, params: { ...params, _meta: { [`${prefix}subscriptionId`]: id } } });
    told('notifications/subscriptions/acknowledged', { notifications });
    const { resourceSubscriptions = [] } = notifications;
    for (const uri of resourceSubscriptions)
      setTimeout(() => listens.has(id) && told('notifications/resources/updated', { uri }), 20);
    return new Promise((resolve) => {
      const end = () => {
        listens.delete(id);
        resolve({});
      };
      listens.set(id, { told, end });
    });
  }

  /** Changes are told to those who listen, log messages only where they are wanted. */
  function speak(said, send, { _meta }) {
    if (said.method === 'notifications/tools/list_changed')
      for (const { told } of listens.values()) told(said.method);
    else if (said.method !== 'notifications/message' || _meta[`${prefix}logLevel`] !== undefined) send(said);
  }

  return { answer, gone: ({ id }) => cancel(id) };
}

/** Ends the round with the question; the next one brings the answer. */
async function ask(_send, method, params, responses) {
  const given = responses?.question;
  if (given !== undefined) return { result: given };
  throw { asked: { inputRequests: { question: { method, params } }, requestState: 'asked' } };
}

const cached = (result) => ({ ...result, ttlMs: 1_000, cacheScope: 'private' });

function discovered(key) {
  return {
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: { listChanged: true }, resources: { subscribe: true }, prompts: {}, logging: {} },
    _meta: { [`${prefix}serverInfo`]: { name: `chaos-${key}`, version: '1.0.0' } },
  };
}
