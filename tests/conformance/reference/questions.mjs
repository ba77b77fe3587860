import {
  CreateMessageResultSchema,
  ElicitResultSchema,
  ListRootsResultSchema,
} from '@modelcontextprotocol/sdk/types.js';

const text = (value) => ({ type: 'text', text: value });
const answer = (value) => ({ content: [text(value)] });

/** Asks the client over the stream of the call that `sendRequest` belongs to. */
const askers = (sendRequest) => ({
  form: async (message, property, type = 'string') => {
    const requestedSchema = { type: 'object', properties: { [property]: { type } }, required: [property] };
    const params = { message, requestedSchema };
    const { content } = await sendRequest({ method: 'elicitation/create', params }, ElicitResultSchema);
    return content?.[property];
  },
  model: async (prompt) => {
    const params = { messages: [{ role: 'user', content: text(prompt) }], maxTokens: 100 };
    const said = await sendRequest({ method: 'sampling/createMessage', params }, CreateMessageResultSchema);
    return said.content.text ?? 'no text';
  },
  roots: async () => {
    const { roots } = await sendRequest({ method: 'roots/list', params: {} }, ListRootsResultSchema);
    return roots.map(({ uri }) => uri).join(', ');
  },
});

/**
 * The tools and the prompt of the stateless scenarios about questions, as a server with sessions has them: it asks within the
 * call and waits. Stateless clients reach them through a hub only.
 */
export function registerQuestions(server) {
  const tool = (name, description, run) =>
    server.registerTool(name, { description, inputSchema: {} }, async (_args, { sendRequest }) =>
      answer(await run(askers(sendRequest))),
    );
  const greet = async ({ form }) => `Hello, ${await form('What is your name?', 'name')}!`;
  const confirm = async ({ form }) =>
    (await form('Please confirm', 'ok', 'boolean')) ? 'state-ok' : 'declined';
  const saySomething = ({ model }) => model('Say something');

  tool('test_missing_capability', 'Needs sampling', saySomething);
  tool('test_streaming_elicitation', 'Asks while it streams', greet);
  tool('test_input_required_result_elicitation', 'Asks for a name', greet);
  tool('test_input_required_result_sampling', 'Asks the model', ({ model }) =>
    model('What is the capital of France?'),
  );
  tool(
    'test_input_required_result_list_roots',
    'Asks for the roots',
    async ({ roots }) => `Roots: ${await roots()}`,
  );
  tool('test_input_required_result_request_state', 'Keeps a state', confirm);
  tool('test_input_required_result_tampered_state', 'Guards its state', confirm);
  tool('test_input_required_result_multiple_inputs', 'Asks three things', async ({ form, model, roots }) =>
    (await Promise.all([form('What is your name?', 'name'), model('Generate a greeting'), roots()])).join(),
  );
  tool('test_input_required_result_multi_round', 'Asks in two rounds', async ({ form }) => {
    const name = await form('Step 1: What is your name?', 'name');
    return `${name}: ${await form('Step 2: What is your favorite color?', 'color')}`;
  });
  tool('test_input_required_result_capabilities', 'Asks what the client can', async (ask) => {
    const outcomes = await Promise.allSettled([saySomething(ask), greet(ask)]);
    return outcomes.map(({ value = 'refused' }) => value).join();
  });
  server.registerPrompt(
    'test_input_required_result_prompt',
    { description: 'Asks before it answers' },
    async ({ sendRequest }) => {
      const context = await askers(sendRequest).form('What context should the prompt use?', 'context');
      return { messages: [{ role: 'user', content: text(`Use this context: ${context}`) }] };
    },
  );
}

/** Tools that log, and that change the lists of tools and prompts while the server runs. */
export function registerChanges(server) {
  server.registerTool(
    'test_logging_tool',
    { description: 'Logs while it works', inputSchema: {} },
    async (_args, { sendNotification }) => {
      const params = { level: 'info', data: 'a line of the log' };
      await sendNotification({ method: 'notifications/message', params });
      return answer('logged');
    },
  );
  let added = 0;
  const change = (name, description, add) =>
    server.registerTool(name, { description, inputSchema: {} }, () => {
      added += 1;
      add(`added_${added}`, { description: `Number ${added} that was added` });
      return answer('changed');
    });
  change('test_trigger_tool_change', 'Changes the tools', (name, config) =>
    server.registerTool(name, config, () => answer(name)),
  );
  change('test_trigger_prompt_change', 'Changes the prompts', (name, config) =>
    server.registerPrompt(name, config, () => ({ messages: [{ role: 'user', content: text(name) }] })),
  );
}
