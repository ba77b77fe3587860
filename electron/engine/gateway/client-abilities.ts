import { clientUnable } from '../route/question-errors.ts';
import type { RpcError } from '../rpc/message.ts';
import type { RawRequest } from '../rpc/raw-message.ts';
import type { Introduction } from './introduction.ts';

type Params = Readonly<Record<string, unknown>>;

/**
 * Returns the error if the client has not declared the capability for a request; many clients that lack it
 * never answer. Shared servers are told that clients support everything, so the check is made here.
 */
export function refusalOf(
  { name, capabilities }: Pick<Introduction, 'name' | 'capabilities'>,
  message: RawRequest,
): RpcError | undefined {
  switch (message.method) {
    case 'sampling/createMessage':
      return sampling(name, capabilities.sampling, message.params);
    case 'elicitation/create':
      return elicitation(name, capabilities.elicitation, message.params?.mode);
    case 'roots/list':
      return capabilities.roots === undefined ? clientUnable(name, 'roots') : undefined;
    default:
      return undefined;
  }
}

function sampling(name: string, offered: unknown, params: Params = {}): RpcError | undefined {
  if (offered === undefined) return clientUnable(name, 'sampling');
  const needsTools = params.tools !== undefined || params.toolChoice !== undefined;
  return needsTools && memberOf(offered, 'tools') === undefined
    ? clientUnable(name, 'sampling with tools', 'invalidParams')
    : undefined;
}

/** Clients that declare no mode support only forms, which was the only mode when they were written. */
function elicitation(name: string, offered: unknown, mode: unknown): RpcError | undefined {
  if (offered === undefined) return clientUnable(name, 'elicitation');
  const hasUrl = memberOf(offered, 'url') !== undefined;
  if (mode === 'url') return hasUrl ? undefined : clientUnable(name, 'elicitation by URL', 'invalidParams');
  const hasForm = memberOf(offered, 'form') !== undefined || !hasUrl;
  return hasForm ? undefined : clientUnable(name, 'elicitation by form', 'invalidParams');
}

function memberOf(value: unknown, member: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Params)[member] : undefined;
}
