/** Runs a tool by name; the answer carries server, tool, client and call, so that a client knows whose answer it is. */
export function createTools({ key, record, speakGarbage, state, questions, underWay, isCancelled }) {
  const tools = {
    echo: ({ text }) => (text === undefined ? {} : { text }),
    here: () => ({}),
    slow,
    read: noted,
    put: noted,
    write: noted,
    ask,
    fail: () => {
      throw { code: -32050, message: 'failed as it was told to' };
    },
    crash: () => process.exit(7),
    hang: ({ milliseconds }) => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
      return {};
    },
    garbage: () => {
      speakGarbage();
      return {};
    },
    /** A line that names its client, before the answer. */
    log: ({ client, call }, { send }) => {
      send({
        method: 'notifications/message',
        params: { level: 'warning', data: JSON.stringify({ server: key, client, call }) },
      });
      return {};
    },
    change: (_args, { send }) => {
      state.extra = !state.extra;
      send({ method: 'notifications/tools/list_changed' });
      return {};
    },
    extra: () => ({}),
  };

  /** Noted before anything else can happen, so that what was run is known whatever happens then. */
  async function noted({ client, call, milliseconds = 0 }, { name }) {
    record('run', { tool: name, client, call });
    await pause(milliseconds);
    return {};
  }

  async function slow({ client, call, milliseconds }, { id, send, token }) {
    const steps = 4;
    for (let step = 1; step <= steps; step += 1) {
      await pause(milliseconds / steps);
      if (isCancelled(id)) return {};
      if (token === undefined) continue;
      const message = JSON.stringify({ server: key, client, call });
      send({
        method: 'notifications/progress',
        params: { progressToken: token, progress: step, total: steps, message },
      });
    }
    return {};
  }

  /** The question names the client it is meant for; the answer tells who answered it. */
  async function ask({ client, call, how }, { send, inputResponses }) {
    const text = JSON.stringify({ server: key, client, call });
    const params =
      how === 'sampling'
        ? { messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens: 10 }
        : { message: text, requestedSchema: { type: 'object', properties: { who: { type: 'string' } } } };
    const method = how === 'sampling' ? 'sampling/createMessage' : 'elicitation/create';
    const { result, error } = await questions.ask(send, method, params, inputResponses);
    return error === undefined
      ? { who: result.content?.text ?? result.content?.who }
      : { refused: { code: error.code, why: error.data?.code } };
  }

  return async ({ name, arguments: args = {}, _meta, inputResponses }, { id, send }) => {
    const tool = tools[name];
    if (tool === undefined) throw { code: -32602, message: `Unknown tool: ${name}` };
    const { client, call } = args;
    underWay.add(id);
    const busy = underWay.size;
    try {
      const more = await tool(args, { name, id, send, token: _meta?.progressToken, inputResponses });
      const said = { server: key, tool: name, client, call, self, busy, ...more };
      return { content: [{ type: 'text', text: JSON.stringify(said) }] };
    } finally {
      underWay.delete(id);
    }
  };
}

/** No two processes have it in common, whatever becomes of their pids. */
const self = `${process.pid} ${Date.now()}`;

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
