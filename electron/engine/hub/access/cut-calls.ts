import type { Identity } from '../../../../shared/model/access.ts';
import type { Catalogue } from '../../catalogue/contract.ts';
import type { KnownTool } from '../../policy/access/contract.ts';
import type { AccessRules } from '../../policy/access/rules.ts';
import type { CallRecord, ToolAddress } from '../../route/contract.ts';
import type { RpcError } from '../../rpc/message.ts';
import type { Withdrawal } from './access-news.ts';
import { accessCut, grantWithdrawn, notAllowed } from './refusals.ts';
import type { Standings } from './standings.ts';
import { ToolItems } from './tool-items.ts';

/** All active calls, from every endpoint. */
export interface CallsUnderWay {
  underWay(): Iterable<CallRecord>;
  /** Answers the caller with `why` and cancels the call at the server. */
  stop(call: CallRecord, why: RpcError): void;
}

export interface CallCutterOptions {
  readonly calls: CallsUnderWay;
  /** Session id -> identity id. */
  readonly holderOf: (sessionId: string) => string | undefined;
  readonly rulesOf: (identityId: string) => AccessRules | undefined;
  readonly standings: Pick<Standings, 'decide'>;
  readonly catalogue: () => Catalogue;
  readonly now: () => number;
}

/**
 * Cancels active calls that only a withdrawn permission allowed. Calls whose permission simply expires may
 * finish.
 */
export class CallCutter {
  readonly #options: CallCutterOptions;
  readonly #items = new ToolItems();

  constructor(options: CallCutterOptions) {
    this.#options = options;
  }

  withdrawn({ identity, before }: Withdrawal): void {
    const after = this.#options.rulesOf(identity.id);
    for (const call of this.#callsOf(identity.id)) {
      const lost = call.method === 'tools/call' ? this.#lostBy(call, before, after) : undefined;
      if (lost !== undefined) this.#options.calls.stop(call, this.#whyNot(identity, call, lost));
    }
  }

  /**
   * Cancels all calls of an identity that has lost access. Sessions are closed elsewhere; calls over REST
   * have none.
   */
  ended({ id, name }: Identity): void {
    for (const call of this.#callsOf(id)) this.#options.calls.stop(call, accessCut(name));
  }

  #callsOf(identityId: string): readonly CallRecord[] {
    const { calls, holderOf } = this.#options;
    return [...calls.underWay()].filter(({ sessionId }) => holderOf(sessionId) === identityId);
  }

  /** Returns the tool of a call that was allowed before and no longer is. */
  #lostBy(
    { serverKey, name = '', fallback }: CallRecord,
    before: AccessRules,
    after: AccessRules | undefined,
  ): KnownTool | undefined {
    const now = this.#options.now();
    const may = (rules: AccessRules | undefined, tool: KnownTool) =>
      rules !== undefined && rules.decide(tool, now).effect !== 'deny';
    return [{ serverKey, name }, ...(fallback === undefined ? [] : [fallback])]
      .map((tool) => this.#known(tool))
      .find((tool) => may(before, tool) && !may(after, tool));
  }

  #whyNot({ id, name }: Identity, { attempts }: CallRecord, tool: KnownTool): RpcError {
    const decision = this.#options.standings.decide(id, tool);
    return attempts === 0 ? notAllowed(name, tool, decision) : grantWithdrawn(name, tool, decision);
  }

  #known({ serverKey, name }: ToolAddress): KnownTool {
    return { serverKey, name, item: this.#items.find(this.#options.catalogue(), serverKey, name) };
  }
}
