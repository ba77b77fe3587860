import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { statusTool } from '../../electron/engine/catalogue/status-tool.ts';
import { type Hub, startHub } from './programs.ts';
import { within } from './within.ts';

/**
 * Acts as the client of a scenario: a hub with the given address as its only server, and a client of the hub that calls
 * every tool once. If the server requires a sign-in, this does what the user and a browser would do: it signs in once on
 * request, once more for a wider scope, and never again. Rejects if the server could not be used.
 */
export function callThroughHub(url: string, context: string): Promise<void> {
  const oauth = oauthOf(context);
  return within(startHub({ remote: { type: 'http', url, patchbay: { oauth } } }), async (hub) => {
    for (let signIns = 0; signIns <= 2; signIns += 1) {
      await settled(hub);
      if (await callAllTools(hub, context)) return;
      if (!wantsSignIn(hub) || signIns === 2) break;
      await visit((await hub.engine.run('server.signIn', { key: 'remote' })).url);
    }
    throw new Error(`The server could not be used: ${JSON.stringify(hub.engine.servers()[0])}`);
  });
}

/** A client that the scenario has registered beforehand, else the address of one that describes itself. */
function oauthOf(context: string): Readonly<Record<string, string>> {
  const known = z.looseObject({ client_id: z.string().optional(), client_secret: z.string().optional() });
  const { client_id, client_secret } = known.parse(JSON.parse(context));
  if (client_id === undefined) {
    return { clientMetadataUrl: 'https://conformance-test.local/client-metadata.json' };
  }
  return { clientId: client_id, ...(client_secret === undefined ? {} : { clientSecret: client_secret }) };
}

/** Resolves once the server is connected or waits for somebody; after 45 s whatever its state. */
async function settled(hub: Hub): Promise<void> {
  for (let waited = 0; waited < 45_000; waited += 50) {
    const signingIn = hub.engine.servers()[0]?.auth?.pending === true;
    if (!signingIn && ['connected', 'needs-auth', 'error'].includes(statusOf(hub) ?? '')) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A server that wants more for one call stays connected, and its view says so. */
function wantsSignIn(hub: Hub): boolean {
  const asked = hub.engine.servers()[0]?.auth?.problem?.code;
  return statusOf(hub) === 'needs-auth' || asked === 'server.unauthorized';
}

function statusOf({ engine }: Hub): string | undefined {
  return engine.servers()[0]?.status;
}

/** The calls that a scenario asks for, by the server's own name of the tool, else one that fits most. */
function argumentsOf(name: string, context: string): readonly Readonly<Record<string, unknown>>[] {
  const call = z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()).default({}) });
  const { toolCalls } = z.looseObject({ toolCalls: z.array(call).default([]) }).parse(JSON.parse(context));
  const own = toolCalls.filter((each) => name === each.name || name.endsWith(`__${each.name}`));
  return own.length === 0 ? [{ a: 2, b: 3 }] : own.map((each) => each.arguments);
}

/** Acts as the user's browser: follows every redirect; the last one leads back to the hub. */
async function visit(address: string): Promise<void> {
  const response = await fetch(address);
  await response.text();
}

/** Tells whether all of them answered, and there was one; the hub's own, which it has while it can offer no other, is none. */
async function callAllTools({ engine }: Hub, context: string): Promise<boolean> {
  const client = new Client(
    { name: 'conformance-driver', version: '1.0.0' },
    { capabilities: { elicitation: { form: { applyDefaults: true } } } },
  );
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: {} }));
  const { url: endpoint, token } = engine.connection();
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(endpoint), { requestInit: { headers } }));
  try {
    const listed = await client.listTools();
    const tools = listed.tools.filter(({ name }) => name !== statusTool.name);
    for (const { name } of tools)
      for (const args of argumentsOf(name, context)) await client.callTool({ name, arguments: args });
    return tools.length > 0;
  } catch {
    return false;
  } finally {
    await client.close();
  }
}
