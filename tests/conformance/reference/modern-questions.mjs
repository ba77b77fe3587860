import { createRequestStateCodec, inputRequired } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { forms } from './forms.mjs';

const text = (value) => ({ type: 'text', text: value });
const answer = (value) => ({ content: [text(value)] });

/** Seals what the server keeps between the rounds of a call. */
export const states = createRequestStateCodec({ key: Buffer.alloc(32, 7) });

const form = (message, requestedSchema) => inputRequired.elicit({ message, requestedSchema });
const field = (message, property, type = 'string') =>
  form(message, { type: 'object', properties: { [property]: { type } }, required: [property] });
const completion = (prompt) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: text(prompt) }], maxTokens: 100 });
const ask = async (inputRequests, state) =>
  inputRequired({
    inputRequests,
    ...(state === undefined ? {} : { requestState: await states.mint(state) }),
  });

/** Tools and a prompt that ask the client: each call is answered with questions until it brings the answers. */
export function registerQuestions(server) {
  const tool = (name, description, run, inputSchema = z.object({})) =>
    server.registerTool(name, { description, inputSchema }, (args, { mcpReq }) =>
      run({ ...mcpReq, given: mcpReq.inputResponses ?? {}, args }),
    );
  registerSingle(tool);
  registerStateful(tool);
  registerSessionScenarios(tool);
  registerPrompt(server);
}

/** One question, and no state. */
function registerSingle(tool) {
  const once = (name, description, key, question, conclude) =>
    tool(name, description, ({ given }) =>
      given[key] === undefined ? ask({ [key]: question }) : answer(conclude(given[key])),
    );
  const name = field('What is your name?', 'name');

  once('test_missing_capability', 'Needs sampling', 'sampled', completion('Say something'), () => 'sampled');
  once('test_streaming_elicitation', 'Asks while it streams', 'user_name', name, () => 'asked');
  once(
    'test_input_required_result_sampling',
    'Asks the model',
    'capital_question',
    completion('What is the capital of France?'),
    ({ content }) => content?.text ?? 'no text',
  );
  once(
    'test_input_required_result_list_roots',
    'Asks for the roots',
    'client_roots',
    inputRequired.listRoots(),
    ({ roots = [] }) => `Roots: ${roots.map(({ uri }) => uri).join(', ')}`,
  );
  tool('test_input_required_result_elicitation', 'Asks for a name', ({ given }) => {
    const said = given.user_name?.content?.name;
    return typeof said === 'string' ? answer(`Hello, ${said}!`) : ask({ user_name: name });
  });
  tool(
    'test_input_required_result_capabilities',
    'Asks what the client can',
    ({ inputResponses, envelope }) => {
      if (inputResponses !== undefined) return answer('answered');
      const declared = envelope?.['io.modelcontextprotocol/clientCapabilities'] ?? {};
      const questions = {
        ...(declared.sampling === undefined ? {} : { sampled: completion('Say something') }),
        ...(declared.elicitation === undefined ? {} : { user_name: name }),
      };
      return Object.keys(questions).length === 0 ? answer('nothing to ask') : ask(questions);
    },
  );
}

/** Questions with a state that the client brings back. */
function registerStateful(tool) {
  const confirm = (name, description) =>
    tool(name, description, ({ given, requestState }) =>
      given.confirm !== undefined && requestState?.() !== undefined
        ? answer('state-ok')
        : ask({ confirm: field('Please confirm', 'ok', 'boolean') }, { step: name }),
    );
  confirm('test_input_required_result_request_state', 'Keeps a state');
  confirm('test_input_required_result_tampered_state', 'Guards its state');
  tool('test_input_required_result_multiple_inputs', 'Asks three things', ({ given }) => {
    const { user_name, greeting, client_roots } = given;
    if (user_name !== undefined && greeting !== undefined && client_roots !== undefined)
      return answer(`Hello, ${user_name.content?.name}`);
    const questions = {
      user_name: field('What is your name?', 'name'),
      greeting: completion('Generate a greeting'),
      client_roots: inputRequired.listRoots(),
    };
    return ask(questions, { step: 'all' });
  });
  tool('test_input_required_result_multi_round', 'Asks in two rounds', ({ given: { step1, step2 } }) => {
    if (step2 !== undefined) return answer(`Colour: ${step2.content?.color}`);
    if (step1 === undefined) return ask({ step1: field('Step 1: What is your name?', 'name') }, { round: 1 });
    return ask({ step2: field('Step 2: What is your favorite color?', 'color') }, { round: 2 });
  });
}

/** Tools of the scenarios with sessions, which ask as well. */
function registerSessionScenarios(tool) {
  tool(
    'test_sampling',
    'Asks for a completion',
    ({ given: { sampled }, args }) =>
      sampled === undefined
        ? ask({ sampled: completion(args.prompt) })
        : answer(`LLM response: ${sampled.content?.text ?? 'No response'}`),
    z.object({ prompt: z.string() }),
  );
  const elicit = (name, message, requestedSchema, inputSchema) =>
    tool(
      name,
      'Asks the user',
      ({ given: { user }, args }) => {
        if (user === undefined) return ask({ user: form(args.message ?? message, requestedSchema) });
        const { action, content = {} } = user;
        return answer(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`);
      },
      inputSchema,
    );
  elicit('test_elicitation', '', forms.response, z.object({ message: z.string() }));
  elicit('test_elicitation_sep1034_defaults', 'Please review the form', forms.defaults);
  elicit('test_elicitation_sep1330_enums', 'Please choose', forms.enums);
}

function registerPrompt(server) {
  server.registerPrompt(
    'test_input_required_result_prompt',
    { description: 'Asks before it answers', argsSchema: z.object({}).optional() },
    (args, context) => {
      const { inputResponses = {} } = (context ?? args).mcpReq;
      const given = inputResponses.user_context?.content?.context;
      if (given === undefined)
        return ask({ user_context: field('What context should the prompt use?', 'context') });
      return { messages: [{ role: 'user', content: text(`Use this context: ${given}`) }] };
    },
  );
}
