import { CompleteRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { image } from './media.mjs';

export function registerPrompts(server) {
  const user = (content) => ({ role: 'user', content });
  const text = (value) => user({ type: 'text', text: value });

  server.registerPrompt('test_simple_prompt', { description: 'A prompt without arguments' }, () => ({
    messages: [text('This is a simple prompt for testing.')],
  }));
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'A prompt with two arguments',
      argsSchema: { arg1: z.string().describe('The first'), arg2: z.string().describe('The second') },
    },
    ({ arg1, arg2 }) => ({ messages: [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    {
      description: 'A prompt with a resource inside',
      argsSchema: { resourceUri: z.string().describe('URI of the resource') },
    },
    ({ resourceUri: uri }) => ({
      messages: [
        user({
          type: 'resource',
          resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
        }),
        text('Please process the embedded resource above.'),
      ],
    }),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'A prompt with an image' }, () => ({
    messages: [
      user({ type: 'image', data: image, mimeType: 'image/png' }),
      text('Please analyze the image above.'),
    ],
  }));

  server.server.setRequestHandler(CompleteRequestSchema, () => ({
    completion: { values: [], total: 0, hasMore: false },
  }));
}
