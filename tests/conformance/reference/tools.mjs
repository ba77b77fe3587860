import { setTimeout as pause } from 'node:timers/promises';
import { CreateMessageResultSchema, ElicitResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { forms } from './forms.mjs';
import { audio, image } from './media.mjs';

export function registerTools(server) {
  registerContentTools(server);
  registerTalkingTools(server);
  registerAskingTools(server);
}

const text = (value) => ({ type: 'text', text: value });
const resource = (uri, mimeType, value) => ({ type: 'resource', resource: { uri, mimeType, text: value } });

function registerContentTools(server) {
  const contents = {
    test_simple_text: [text('This is a simple text response for testing.')],
    test_image_content: [{ type: 'image', data: image, mimeType: 'image/png' }],
    test_audio_content: [{ type: 'audio', data: audio, mimeType: 'audio/wav' }],
    test_embedded_resource: [
      resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
    ],
    test_multiple_content_types: [
      text('Multiple content types test:'),
      { type: 'image', data: image, mimeType: 'image/png' },
      resource(
        'test://mixed-content-resource',
        'application/json',
        JSON.stringify({ test: 'data', value: 123 }),
      ),
    ],
  };
  for (const [name, content] of Object.entries(contents)) {
    server.registerTool(name, { description: `Answers for ${name}` }, () => ({ content }));
  }
  server.registerTool('test_error_handling', { description: 'Always fails' }, () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
}

/** Tools that say something while they work. */
function registerTalkingTools(server) {
  const tell = async (steps, say) => {
    for (const step of steps) {
      await say(step);
      await pause(50);
    }
  };
  server.registerTool(
    'test_tool_with_logging',
    { description: 'Logs while it works', inputSchema: {} },
    async (_args, { sendNotification }) => {
      const steps = ['Tool execution started', 'Tool processing data', 'Tool execution completed'];
      await tell(steps, (data) =>
        sendNotification({ method: 'notifications/message', params: { level: 'info', data } }),
      );
      return { content: [text('Tool with logging executed successfully')] };
    },
  );
  server.registerTool(
    'test_tool_with_progress',
    { description: 'Tells its progress', inputSchema: {} },
    async (_args, { sendNotification, _meta }) => {
      const progressToken = _meta?.progressToken ?? 0;
      await tell([0, 50, 100], (progress) =>
        sendNotification({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100, message: `Completed step ${progress} of 100` },
        }),
      );
      return { content: [text(String(progressToken))] };
    },
  );
}

/** Tools that ask the client. What they ask goes over the stream of the call. */
function registerAskingTools(server) {
  server.registerTool(
    'test_sampling',
    { description: 'Asks for a completion', inputSchema: { prompt: z.string() } },
    async ({ prompt }, { sendRequest }) => {
      const params = { messages: [{ role: 'user', content: text(prompt) }], maxTokens: 100 };
      const answer = await sendRequest(
        { method: 'sampling/createMessage', params },
        CreateMessageResultSchema,
      );
      return { content: [text(`LLM response: ${answer.content.text ?? 'No response'}`)] };
    },
  );
  server.registerTool(
    'test_elicitation',
    { description: 'Asks the user', inputSchema: { message: z.string() } },
    async ({ message }, { sendRequest }) => elicit(sendRequest, message, forms.response, 'User response'),
  );
  server.registerTool(
    'test_elicitation_sep1034_defaults',
    { description: 'Asks with defaults', inputSchema: {} },
    async (_args, { sendRequest }) => elicit(sendRequest, 'Please review the form', forms.defaults),
  );
  server.registerTool(
    'test_elicitation_sep1330_enums',
    { description: 'Asks with choices', inputSchema: {} },
    async (_args, { sendRequest }) => elicit(sendRequest, 'Please choose', forms.enums),
  );
}

async function elicit(sendRequest, message, requestedSchema, title = 'Elicitation completed') {
  const params = { message, requestedSchema };
  const { action, content = {} } = await sendRequest(
    { method: 'elicitation/create', params },
    ElicitResultSchema,
  );
  return { content: [text(`${title}: action=${action}, content=${JSON.stringify(content)}`)] };
}
