import { prompts, resourcesOf, toolsOf } from './offer.mjs';
import { createTools } from './tools.mjs';

/**
 * The server's side of the conversation, over any transport: `answer(message, send)` resolves with the answer
 * to a request, or with undefined if there is none. `send` sends progress and requests while it works on that
 * request.
 */
export function createConversation({ key, record, speakGarbage }) {
  const questions = createQuestions();
  const cancelled = new Set();
  /** Calls that somebody waits for. */
  const underWay = new Set();
  const state = { extra: false };
  const tools = createTools({
    key,
    record,
    speakGarbage,
    state,
    questions,
    underWay,
    isCancelled: (id) => cancelled.has(id),
  });
  const handlers = {
    initialize: ({ protocolVersion }) => {
      record('try');
      return greeting(key, protocolVersion);
    },
    ping: () => ({}),
    'logging/setLevel': () => ({}),
    'tools/list': () => ({ tools: toolsOf(state) }),
    'resources/list': () => ({ resources: resourcesOf(key) }),
    'resources/read': ({ uri }) => ({ contents: [{ uri, text: `${key} has ${uri}` }] }),
    'resources/subscribe': ({ uri }, { send }) => {
      setTimeout(() => send({ method: 'notifications/resources/updated', params: { uri } }), 20);
      return {};
    },
    'resources/unsubscribe': () => ({}),
    'prompts/list': () => ({ prompts }),
    'prompts/get': ({ arguments: args }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: JSON.stringify({ server: key, ...args }) } }],
    }),
    'tools/call': (params, context) => tools(params, context),
    'notifications/initialized': () => record('ready'),
    'notifications/cancelled': ({ requestId }) => {
      // One that has been answered is nothing to cancel, and its id may come again in another session.
      if (underWay.delete(requestId)) cancelled.add(requestId);
    },
  };

  async function answer(message, send) {
    const { id, method, params = {} } = message;
    if (method === undefined) return questions.answered(message);
    const handler = handlers[method];
    if (id === undefined) return handler?.(params, {});
    try {
      if (handler === undefined) throw { code: -32601, message: `Method not found: ${method}` };
      const result = await handler(params, { id, send });
      return cancelled.delete(id) ? undefined : { id, result };
    } catch (error) {
      cancelled.delete(id);
      const { code = -32603, message: text = String(error) } = error ?? {};
      return { id, error: { code, message: text } };
    }
  }
  return { answer };
}

function greeting(key, protocolVersion) {
  return {
    protocolVersion,
    capabilities: { tools: { listChanged: true }, resources: { subscribe: true }, prompts: {}, logging: {} },
    serverInfo: { name: `chaos-${key}`, version: '1.0.0' },
  };
}

/** Tracks requests that the server has sent and that are not answered yet. */
function createQuestions() {
  const open = new Map();
  let last = 0;
  return {
    ask(send, method, params) {
      last += 1;
      const id = `question ${last}`;
      const answer = new Promise((resolve) => open.set(id, resolve));
      send({ id, method, params });
      return answer;
    },
    answered({ id, result, error }) {
      open.get(id)?.({ result, error });
      open.delete(id);
    },
  };
}
