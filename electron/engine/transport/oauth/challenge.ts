import { extractWWWAuthenticateParams } from '@modelcontextprotocol/sdk/client/auth.js';
import type { AuthChallenge } from './contract.ts';

/** What a refusal asks for; undefined for a response that a sign-in would not change. */
export function challengeOf(response: Response): AuthChallenge | undefined {
  const { status } = response;
  if (status !== 401 && status !== 403) return undefined;
  const { resourceMetadataUrl, scope, error } = extractWWWAuthenticateParams(response);
  if (status === 403 && error !== 'insufficient_scope') return undefined;
  return {
    status,
    ...(error === undefined ? {} : { error }),
    ...(scope === undefined ? {} : { scope }),
    ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl: resourceMetadataUrl.href }),
  };
}
