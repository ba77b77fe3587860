import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CreateMessageRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { programs } from './programs.ts';
import { type Hub, namesOf, textOf } from './running-hub.ts';

/** A way for a client to a hub; `one` is the endpoint of the server `s` alone. */
export type Way = 'bridge' | 'http' | 'one';

export interface SessionClient extends AsyncDisposable {
  readonly name: string;
  readonly client: Client;
  /** Log messages that it received, and the number of notifications that the tools have changed. */
  readonly heard: { readonly logs: unknown[]; lists: number };
  /** The result of a tool of the server `s`, which answers with JSON as text. */
  call(tool: string, args?: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** Names of the tools as the server knows them. */
  tools(): Promise<readonly string[]>;
  /** Ends the session as its way has it. */
  leave(): Promise<void>;
}

/** A real client that has roots and samples, under names that show whose they are. */
export async function connectSession(hub: Hub, way: Way, name: string): Promise<SessionClient> {
  const client = new Client({ name, version: '1.0.0' }, { capabilities: { roots: {}, sampling: {} } });
  const heard = { logs: [] as unknown[], lists: 0 };
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: `file:///${name}` }] }));
  client.setRequestHandler(CreateMessageRequestSchema, () => ({
    role: 'assistant',
    model: name,
    content: { type: 'text', text: 'yes' },
  }));
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
    heard.logs.push(params.data);
  });
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    heard.lists += 1;
  });
  const transport = transportOf(hub, way);
  await client.connect(transport as Transport);
  const prefix = way === 'one' ? '' : 's__';
  async function leave(): Promise<void> {
    if (transport instanceof StreamableHTTPClientTransport) await transport.terminateSession();
    await client.close();
  }
  return {
    name,
    client,
    heard,
    leave,
    call: async (tool, args = {}) => {
      const result = await client.callTool({ name: `${prefix}${tool}`, arguments: args });
      return JSON.parse(textOf(result) ?? 'null');
    },
    tools: async () => (await namesOf(client)).map((tool) => tool.slice(prefix.length)),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

function transportOf(hub: Hub, way: Way): StdioClientTransport | StreamableHTTPClientTransport {
  if (way === 'bridge') {
    const args = [programs.bridge, '--data-dir', hub.dir];
    return new StdioClientTransport({ command: process.execPath, args, env: {}, stderr: 'ignore' });
  }
  const { url, token } = hub.engine.connection();
  return new StreamableHTTPClientTransport(new URL(way === 'one' ? `${url}/servers/s` : url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
}
