import { capabilityMissing } from '../route/question-errors.ts';
import type { RpcError } from '../rpc/message.ts';
import type { RawRequest } from '../rpc/raw-message.ts';
import type { ClientInitializeParams } from './introduction.ts';

type Params = Readonly<Record<string, unknown>>;

/**
 * Returns the error if the client has not declared the capability for a request; many clients that lack it
 * never answer. Shared servers are told that clients support everything, so the check is made here.
 */
export function capabilityError(
  { name, capabilities }: Pick<ClientInitializeParams, 'name' | 'capabilities'>,
  message: RawRequest,
): RpcError | undefined {
  switch (message.method) {
    case 'sampling/createMessage':
      return samplingError(name, capabilities.sampling, message.params);
    case 'elicitation/create':
      return elicitationError(name, capabilities.elicitation, message.params?.mode);
    case 'roots/list':
      return capabilities.roots === undefined ? capabilityMissing(name, 'roots') : undefined;
    default:
      return undefined;
  }
}

function samplingError(name: string, declared: unknown, params: Params = {}): RpcError | undefined {
  if (declared === undefined) return capabilityMissing(name, 'sampling');
  const needsTools = params.tools !== undefined || params.toolChoice !== undefined;
  return needsTools && memberOf(declared, 'tools') === undefined
    ? capabilityMissing(name, 'sampling with tools', 'invalidParams')
    : undefined;
}

/** Clients that declare no mode support only forms, which was the only mode when they were written. */
function elicitationError(name: string, declared: unknown, mode: unknown): RpcError | undefined {
  if (declared === undefined) return capabilityMissing(name, 'elicitation');
  const hasUrl = memberOf(declared, 'url') !== undefined;
  if (mode === 'url')
    return hasUrl ? undefined : capabilityMissing(name, 'elicitation by URL', 'invalidParams');
  const hasForm = memberOf(declared, 'form') !== undefined || !hasUrl;
  return hasForm ? undefined : capabilityMissing(name, 'elicitation by form', 'invalidParams');
}

function memberOf(value: unknown, member: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Params)[member] : undefined;
}
