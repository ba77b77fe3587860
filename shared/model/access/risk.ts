import type { Risk } from './access.ts';

/** Risk annotations of a tool, if present. */
export interface RiskHints {
  readonly readOnly?: boolean | undefined;
  readonly destructive?: boolean | undefined;
}

/**
 * Rates a tool's risk by its annotations, or without those by the names listed in the integration design
 * (REQ-MCP-AUTH-003).
 */
export function riskOfTool(name: string, { readOnly, destructive }: RiskHints): Risk {
  if (readOnly === true) return 'low';
  if (destructive === true) return 'high';
  return riskyName.test(name) ? 'high' : 'low';
}

const riskyName = /write|delete|modify|update|create/i;
