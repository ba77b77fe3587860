import type { Context } from 'hono';
import type { ApiPorts } from '../contract.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { ApiError, badRequest, unauthorized } from '../http/api-error.ts';

/**
 * Returns the identity of a call: by its own token, or as named by an administrator. An identity cannot call
 * as another one, and the admin token has no identity of its own.
 */
export function callIdentity(ports: ApiPorts, context: Context<ApiEnv>, agentId: string | undefined): string {
  const caller = context.get('caller');
  if (caller.kind === 'identity') {
    if (agentId === undefined || agentId === caller.id || agentId === caller.name) return caller.id;
    throw new ApiError(
      401,
      'AuthorizationError',
      'foreign_token',
      'This token belongs to another identity.',
      {
        fix: 'Leave out agent_id, or use the token of that identity.',
      },
    );
  }
  if (agentId === undefined) {
    throw badRequest(
      'agent_missing',
      'A call needs an identity: with the admin token, name one in agent_id.',
      {
        fields: [{ path: 'agent_id', message: 'it is required with the admin token' }],
      },
    );
  }
  const identity = ports.agent(agentId);
  if (identity !== undefined) return identity;
  throw unauthorized(
    'no_grant',
    `Nothing is granted to ${JSON.stringify(agentId)}.`,
    'Grant it access with POST /api/v1/mcp/policies/grant.',
  );
}
