import { ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SubscribeRequestSchema, UnsubscribeRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { image } from './media.mjs';

export function registerResources(server) {
  const plain = (uri, text) => ({ contents: [{ uri, mimeType: 'text/plain', text }] });

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
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { title: 'Template', description: 'Data by id', mimeType: 'application/json' },
    ({ href }, { id }) => {
      const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
      return { contents: [{ uri: href, mimeType: 'application/json', text }] };
    },
  );
  server.registerResource(
    'watched-resource',
    'test://watched-resource',
    { title: 'Watched', description: 'A resource to subscribe to', mimeType: 'text/plain' },
    ({ href }) => plain(href, 'Watched resource content'),
  );

  server.server.setRequestHandler(SubscribeRequestSchema, () => ({}));
  server.server.setRequestHandler(UnsubscribeRequestSchema, () => ({}));
}
