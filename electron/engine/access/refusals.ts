import { problem } from '../../../shared/error/problem.ts';
import type { Decision } from '../../../shared/model/access/access.ts';
import type { RpcError } from '../jsonrpc/message.ts';
import type { ToolAddress } from '../routing/contract.ts';
import { toRpcError } from '../routing/error-map.ts';

const accessHint = 'in Patchbay under Clients → Access, or with "patchbay access"';

/** The error for a call that is not allowed. `who` is the name of the client. */
export function notAllowed(who: string, { serverKey, name }: ToolAddress, decision: Decision): RpcError {
  const facts = { serverKey, tool: name, reason: decision.code };
  const evidence = { client: who, server: serverKey, tool: name };
  const sentence = `${who} may not call ${serverKey}:${name}. ${decision.reason}`;
  switch (decision.code) {
    case 'token_needed': {
      const fix = `Allow it temporarily ${accessHint}.`;
      return toRpcError(problem('call.token_needed', sentence, fix, evidence), facts);
    }
    case 'identity_revoked':
    case 'identity_expired':
      return toRpcError(identityEnded(who, decision), facts);
    case 'unreadable': {
      const fix = 'Fix the database problem shown in Patchbay, then restart Patchbay.';
      return toRpcError(problem('access.unreadable', sentence, fix, evidence), facts);
    }
    default: {
      const fix = `Allow it ${accessHint}, then call it again.`;
      return toRpcError(problem('call.not_allowed', sentence, fix, evidence), facts);
    }
  }
}

function identityEnded(who: string, decision: Pick<Decision, 'reason'>) {
  const fix = `Restore it ${accessHint}, or give it a new token.`;
  return problem('call.identity_ended', `${who} may not call anything. ${decision.reason}`, fix, {
    client: who,
  });
}

/** The error for the active calls and sessions of an identity that loses access. */
export function accessEnded(who: string): RpcError {
  const sentence = `The access of ${who} was revoked or has expired, or its token was replaced; calls in progress may have taken effect.`;
  const fix = `Check it ${accessHint}, or connect again with the new token.`;
  return toRpcError(problem('call.identity_ended', sentence, fix, { client: who }));
}

/** The error for an active call whose permission was taken back. */
export function grantWithdrawn(who: string, { serverKey, name }: ToolAddress, decision: Decision): RpcError {
  const sentence = `${who} may no longer call ${serverKey}:${name}: access was removed during the call. The server was asked to stop, but may already have done all or part of it.`;
  const fix = `Allow it again ${accessHint}, and check what the call did before you repeat it.`;
  const evidence = { client: who, server: serverKey, tool: name };
  return toRpcError(problem('call.not_allowed', sentence, fix, evidence), {
    serverKey,
    tool: name,
    reason: decision.code,
  });
}

export function serverNotAllowed(who: string, serverKey: string): RpcError {
  const sentence = `${who} is not allowed to use the server ${serverKey}.`;
  const fix = `Allow it ${accessHint}, then try again.`;
  return toRpcError(problem('call.not_allowed', sentence, fix, { client: who, server: serverKey }), {
    serverKey,
  });
}

export function approvalDenied({ serverKey, name }: ToolAddress): RpcError {
  const sentence = `The user denied this call of ${name}.`;
  const fix = 'Do not retry without asking.';
  return toRpcError(problem('call.approval_denied', sentence, fix, { server: serverKey, tool: name }), {
    serverKey,
    tool: name,
  });
}

export function approvalInterrupted(who: string, { serverKey, name }: ToolAddress): RpcError {
  const sentence = `Patchbay is quitting and nobody has approved this call of ${serverKey}:${name} for ${who}, so it was not made.`;
  const fix = 'Try again after Patchbay has restarted.';
  return toRpcError(problem('call.draining', sentence, fix, { server: serverKey, tool: name }), {
    serverKey,
    tool: name,
  });
}

export function approvalTimeout(
  who: string,
  { serverKey, name }: ToolAddress,
  milliseconds: number,
): RpcError {
  const minutes = Math.round(milliseconds / 60_000);
  const sentence = `Nobody approved this call of ${serverKey}:${name} within ${minutes} min, so it was not made.`;
  const fix = `Ask the user before you try again. You can change what ${who} may call ${accessHint}.`;
  return toRpcError(problem('call.approval_timeout', sentence, fix, { server: serverKey, tool: name }), {
    serverKey,
    tool: name,
  });
}

export function tooManyApprovals(who: string, { serverKey, name }: ToolAddress, waiting: number): RpcError {
  const sentence = `${waiting} calls of ${who} are already waiting for approval, so ${serverKey}:${name} was not called.`;
  const fix = 'Wait until the user has answered them in Patchbay, then call it again.';
  return toRpcError(
    problem('call.approvals_full', sentence, fix, { server: serverKey, tool: name, waiting }),
    {
      serverKey,
      tool: name,
    },
  );
}

/** Explains to a client why it sees no tools at all. */
export function nothingGranted(who: string, reason: string): string {
  return `Patchbay is running, but ${who} may not call any of its tools. ${reason}\nWhat to do: open Patchbay, find ${who} under Clients → Access, and allow the tools that it may call, or use "patchbay access grant".`;
}
