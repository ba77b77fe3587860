import type { Risk } from './access.ts';

/** What the annotations of a tool say of it, where they are there. */
export interface RiskHints {
  readonly readOnly?: boolean | undefined;
  readonly destructive?: boolean | undefined;
}

/**
 * How risky a tool is: by what it says of itself; where that says nothing, by the names that the integration design
 * lists (REQ-MCP-AUTH-003).
 */
export function riskOfTool(name: string, { readOnly, destructive }: RiskHints): Risk {
  if (readOnly === true) return 'low';
  if (destructive === true) return 'high';
  return riskyName.test(name) ? 'high' : 'low';
}

const riskyName = /write|delete|modify|update|create/i;
