import { buildDiscoveryUrls } from '@modelcontextprotocol/sdk/client/auth.js';
import { OAuthMetadataSchema } from '@modelcontextprotocol/sdk/shared/auth.js';
import { z } from 'zod';
import type { Fetch } from '../http-connections.ts';

export const serverMetadataSchema = OAuthMetadataSchema.extend({
  authorization_response_iss_parameter_supported: z.boolean().optional(),
});

/** What an authorization server says of itself (RFC 8414, OpenID Connect Discovery). */
export type ServerMetadata = z.infer<typeof serverMetadataSchema>;

/**
 * Looks in the places where it may stand; undefined if it is in none. The SDK's own search drops what it does not know
 * from OpenID documents, among it the word that answers name their issuer, which guards against mixing servers up.
 */
export async function fetchServerMetadata(
  address: string,
  fetch: Fetch,
): Promise<ServerMetadata | undefined> {
  for (const { url } of buildDiscoveryUrls(address)) {
    const response = await fetch(url, { headers: { accept: 'application/json' } });
    if (response.status >= 500) throw new Error(`HTTP ${response.status}`);
    if (response.ok) return serverMetadataSchema.parse(await response.json());
  }
  return undefined;
}
