import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

/** Acts as the client of a scenario with the SDK's client alone: what the hub's score is compared with. */
export async function callWithSdk(url: string, context: string): Promise<void> {
  const provider = createProvider(context);
  for (let signIns = 0; signIns <= 2; signIns += 1) {
    const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider: provider });
    try {
      await callAllTools(transport);
      break;
    } catch (error) {
      if (!(error instanceof UnauthorizedError) || provider.code === undefined || signIns === 2) throw error;
      await transport.finishAuth(provider.code);
    } finally {
      await transport.close();
    }
  }
}

async function callAllTools(transport: StreamableHTTPClientTransport): Promise<void> {
  const client = new Client(
    { name: 'conformance-sdk', version: '1.0.0' },
    { capabilities: { elicitation: { form: { applyDefaults: true } } } },
  );
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: {} }));
  await client.connect(transport);
  const { tools } = await client.listTools();
  for (const { name } of tools) await client.callTool({ name, arguments: { a: 2, b: 3 } });
}

/** Keeps a sign-in in memory; its browser follows the redirect and keeps the code. */
function createProvider(context: string): OAuthClientProvider & { readonly code: string | undefined } {
  const known = z.looseObject({ client_id: z.string().optional(), client_secret: z.string().optional() });
  const { client_id, client_secret } = known.parse(JSON.parse(context));
  const redirect = 'http://localhost:3000/callback';
  let information: OAuthClientInformationMixed | undefined =
    client_id === undefined
      ? undefined
      : { client_id, ...(client_secret === undefined ? {} : { client_secret }) };
  let tokens: OAuthTokens | undefined;
  let verifier = '';
  let code: string | undefined;
  return {
    get code() {
      return code;
    },
    redirectUrl: redirect,
    clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
    clientMetadata: { client_name: 'conformance-sdk', redirect_uris: [redirect] },
    clientInformation: () => information,
    saveClientInformation: (next) => {
      information = next;
    },
    tokens: () => tokens,
    saveTokens: (next) => {
      tokens = next;
    },
    codeVerifier: () => verifier,
    saveCodeVerifier: (next) => {
      verifier = next;
    },
    async redirectToAuthorization(address) {
      const { headers } = await fetch(address, { redirect: 'manual' });
      code = new URL(headers.get('location') ?? redirect).searchParams.get('code') ?? undefined;
    },
  };
}
