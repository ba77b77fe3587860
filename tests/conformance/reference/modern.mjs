/**
 * The reference server of the official suite's scenarios of both eras, on the SDK's second version: stateless
 * only. On stdio; with `--http` on a free loopback port, whose URL is its first line.
 */
import { createServer } from 'node:http';
import {
  createMcpHandler,
  InMemoryServerEventBus,
  McpServer,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { audio, image } from './media.mjs';
import { registerQuestions, states } from './modern-questions.mjs';

const text = (value) => ({ type: 'text', text: value });
const answer = (value) => ({ content: [text(value)] });
const nothing = z.object({});

function create({ announce = () => {} } = {}) {
  const server = new McpServer(
    { name: 'patchbay-conformance-modern', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        logging: {},
        completions: {},
      },
      requestState: { verify: states.verify },
    },
  );
  registerContents(server);
  registerTalking(server, announce);
  registerQuestions(server);
  registerResources(server);
  registerPrompts(server, announce);
  return server;
}

function registerContents(server) {
  const resource = (uri, mimeType, value) => ({ type: 'resource', resource: { uri, mimeType, text: value } });
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
      resource('test://mixed', 'application/json', JSON.stringify({ test: 'data', value: 123 })),
    ],
  };
  for (const [name, content] of Object.entries(contents))
    server.registerTool(name, { description: `Answers for ${name}`, inputSchema: nothing }, () => ({
      content,
    }));
  server.registerTool('test_error_handling', { description: 'Always fails', inputSchema: nothing }, () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
}

function registerTalking(server, announce) {
  server.registerTool(
    'test_tool_with_progress',
    { description: 'Reports its progress', inputSchema: nothing },
    async (_args, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken ?? 0;
      for (const progress of [0, 50, 100])
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100, message: `Completed step ${progress} of 100` },
        });
      return answer(String(progressToken));
    },
  );
  for (const tool of ['test_logging_tool', 'test_tool_with_logging'])
    server.registerTool(
      tool,
      { description: 'Logs while it works', inputSchema: nothing },
      async (_args, { mcpReq }) => {
        for (const line of ['started', 'processing', 'completed']) await mcpReq.log('info', line);
        return answer('logged');
      },
    );
  for (const [name, kind] of [
    ['test_trigger_tool_change', 'tools'],
    ['test_trigger_prompt_change', 'prompts'],
  ])
    server.registerTool(name, { description: `Changes the ${kind}`, inputSchema: nothing }, () => {
      added[kind] += 1;
      addTo(server, kind, added[kind]);
      announce(kind);
      return answer('changed');
    });
  for (const kind of ['tools', 'prompts'])
    for (let number = 1; number <= added[kind]; number += 1) addTo(server, kind, number);
}

/** How many tools and prompts were added while it runs. */
const added = { tools: 0, prompts: 0 };

function addTo(server, kind, number) {
  const description = `Number ${number} that was added`;
  if (kind === 'tools')
    server.registerTool(`added_${number}`, { description, inputSchema: nothing }, () => answer(description));
  else
    server.registerPrompt(`added_${number}`, { description }, () => ({
      messages: [{ role: 'user', content: text(description) }],
    }));
}

function registerResources(server) {
  const plain = (uri, value) => ({ contents: [{ uri, mimeType: 'text/plain', text: value }] });
  server.registerResource(
    'static-text',
    'test://static-text',
    { title: 'Static text', description: 'Text that never changes', mimeType: 'text/plain' },
    ({ href }) => plain(href, 'This is the content of the static text resource.'),
  );
  server.registerResource(
    'static-binary',
    'test://static-binary',
    { title: 'Static binary', description: 'An image that never changes', mimeType: 'image/png' },
    ({ href }) => ({ contents: [{ uri: href, mimeType: 'image/png', blob: image }] }),
  );
  server.registerResource(
    'watched-resource',
    'test://watched-resource',
    { title: 'Watched', description: 'A resource to subscribe to', mimeType: 'text/plain' },
    ({ href }) => plain(href, 'Watched resource content'),
  );
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { title: 'Template', description: 'Data by id', mimeType: 'application/json' },
    ({ href }, { id }) => {
      const value = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
      return { contents: [{ uri: href, mimeType: 'application/json', text: value }] };
    },
  );
}

function registerPrompts(server) {
  const user = (content) => ({ role: 'user', content });
  const prompt = (id, description, shape, messages) =>
    server.registerPrompt(
      id,
      { description, ...(shape === undefined ? {} : { argsSchema: z.object(shape) }) },
      (args) => ({ messages: messages(args ?? {}) }),
    );
  prompt('test_simple_prompt', 'A prompt without arguments', undefined, () => [
    user(text('This is a simple prompt for testing.')),
  ]);
  prompt(
    'test_prompt_with_arguments',
    'A prompt with two arguments',
    { arg1: z.string().describe('The first'), arg2: z.string().describe('The second') },
    ({ arg1, arg2 }) => [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
  );
  prompt(
    'test_prompt_with_embedded_resource',
    'A prompt with a resource inside',
    { resourceUri: z.string().describe('URI of the resource') },
    ({ resourceUri: uri }) => [
      user({
        type: 'resource',
        resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content.' },
      }),
      user(text('Please process the embedded resource above.')),
    ],
  );
  prompt('test_prompt_with_image', 'A prompt with an image', undefined, () => [
    user({ type: 'image', data: image, mimeType: 'image/png' }),
    user(text('Please analyze the image above.')),
  ]);
  server.server.setRequestHandler('completion/complete', () => ({
    completion: { values: [], total: 0, hasMore: false },
  }));
}

if (process.argv.includes('--http')) await serveHttp();
else serveStdio(() => create(), { legacy: 'reject' });

async function serveHttp() {
  const bus = new InMemoryServerEventBus();
  const handler = createMcpHandler(
    () =>
      create({
        announce: (kind) =>
          kind === 'tools' ? handler.notify.toolsChanged() : handler.notify.promptsChanged(),
      }),
    { legacy: 'reject', bus },
  );
  const http = createServer(async (request, response) => {
    const local = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;
    const { host = '', origin } = request.headers;
    if (!local.test(host) || (origin !== undefined && !local.test(origin.replace(/^https?:\/\//, ''))))
      return void response.writeHead(403).end();
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const answered = await handler.fetch(
      new Request(`http://${host}${request.url}`, {
        method: request.method,
        headers: request.headers,
        signal: gone.signal,
        ...(request.method === 'POST' ? { body: Buffer.concat(chunks) } : {}),
      }),
    );
    response.writeHead(answered.status, Object.fromEntries(answered.headers));
    response.flushHeaders();
    if (answered.body !== null) for await (const chunk of answered.body) response.write(chunk);
    response.end();
  });
  await new Promise((resolve) => http.listen(0, '127.0.0.1', resolve));
  process.stdout.write(`http://127.0.0.1:${http.address().port}/mcp\n`);
}
