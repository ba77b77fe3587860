import type { Identity } from '../../../shared/model/access/access.ts';
import type { Catalogue } from '../catalogue/contract.ts';
import type { RpcError } from '../jsonrpc/message.ts';
import type { CallRecord, ToolAddress } from '../routing/contract.ts';
import type { Withdrawal } from './access-service.ts';
import type { Authorizer } from './authorizer.ts';
import { accessEnded, grantWithdrawn, notAllowed } from './refusals.ts';
import type { KnownTool } from './rules/risk.ts';
import type { AccessRules } from './rules/rules.ts';
import { ToolItems } from './tool-items.ts';

/** All active calls, from every endpoint. */
export interface CancellableCalls {
  all(): Iterable<CallRecord>;
  /** Answers the caller with `why` and cancels the call at the server. */
  cancel(call: CallRecord, why: RpcError): void;
}

export interface CallCancellerOptions {
  readonly calls: CancellableCalls;
  /** Session id -> identity id. */
  readonly identityIdOf: (sessionId: string) => string | undefined;
  readonly rulesOf: (identityId: string) => AccessRules | undefined;
  readonly authorizer: Pick<Authorizer, 'decide'>;
  readonly catalogue: () => Catalogue;
  readonly now: () => number;
}

/**
 * Cancels active calls that only a withdrawn permission allowed. Calls whose permission simply expires may
 * finish.
 */
export class CallCanceller {
  readonly #options: CallCancellerOptions;
  readonly #items = new ToolItems();

  constructor(options: CallCancellerOptions) {
    this.#options = options;
  }

  withdrawn({ identity, before }: Withdrawal): void {
    const after = this.#options.rulesOf(identity.id);
    for (const call of this.#callsOf(identity.id)) {
      const withdrawnTool =
        call.method === 'tools/call' ? this.#withdrawnTool(call, before, after) : undefined;
      if (withdrawnTool !== undefined)
        this.#options.calls.cancel(call, this.#refusalOf(identity, call, withdrawnTool));
    }
  }

  /**
   * Cancels all calls of an identity that has lost access. Sessions are closed elsewhere; calls over REST
   * have none.
   */
  ended({ id, name }: Identity): void {
    for (const call of this.#callsOf(id)) this.#options.calls.cancel(call, accessEnded(name));
  }

  #callsOf(identityId: string): readonly CallRecord[] {
    const { calls, identityIdOf } = this.#options;
    return [...calls.all()].filter(({ sessionId }) => identityIdOf(sessionId) === identityId);
  }

  /** Returns the tool of a call that was allowed before and no longer is. */
  #withdrawnTool(
    { serverKey, name = '', fallback }: CallRecord,
    before: AccessRules,
    after: AccessRules | undefined,
  ): KnownTool | undefined {
    const now = this.#options.now();
    const isAllowed = (rules: AccessRules | undefined, tool: KnownTool) =>
      rules !== undefined && rules.decide(tool, now).effect !== 'deny';
    return [{ serverKey, name }, ...(fallback === undefined ? [] : [fallback])]
      .map((tool) => this.#withDefinition(tool))
      .find((tool) => isAllowed(before, tool) && !isAllowed(after, tool));
  }

  #refusalOf({ id, name }: Identity, { attempts }: CallRecord, tool: KnownTool): RpcError {
    const decision = this.#options.authorizer.decide(id, tool);
    return attempts === 0 ? notAllowed(name, tool, decision) : grantWithdrawn(name, tool, decision);
  }

  #withDefinition({ serverKey, name }: ToolAddress): KnownTool {
    return { serverKey, name, item: this.#items.find(this.#options.catalogue(), serverKey, name) };
  }
}
