import type { Risk } from '../../../../shared/model/access.ts';
import type { RawItem } from '../../catalogue/contract.ts';

/**
 * How risky a tool is: by what its definition says of itself, which the guard holds to what was approved; where that
 * says nothing, by the names that the integration design lists (REQ-MCP-AUTH-003).
 */
export function riskOf(name: string, item: RawItem | undefined): Risk {
  const annotations = item?.annotations;
  if (typeof annotations === 'object' && annotations !== null) {
    const { readOnlyHint, destructiveHint } = annotations as Readonly<Record<string, unknown>>;
    if (readOnlyHint === true) return 'low';
    if (destructiveHint === true) return 'high';
  }
  return riskyName.test(name) ? 'high' : 'low';
}

const riskyName = /write|delete|modify|update|create/i;
