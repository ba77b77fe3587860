import type { Risk } from '../../../../shared/model/access/access.ts';
import { riskOfTool } from '../../../../shared/model/access/risk.ts';
import type { RawItem } from '../../catalogue/contract.ts';

/** A tool with its definition, if known. */
export interface KnownTool {
  readonly serverKey: string;
  readonly name: string;
  readonly item?: RawItem | undefined;
}

/** Returns how risky a tool is by its definition, which is pinned to what was approved. */
export function riskOf(name: string, item: RawItem | undefined): Risk {
  const annotations = item?.annotations;
  if (typeof annotations !== 'object' || annotations === null) return riskOfTool(name, noHints);
  const { readOnlyHint, destructiveHint } = annotations as Readonly<Record<string, unknown>>;
  return riskOfTool(name, { readOnly: readOnlyHint === true, destructive: destructiveHint === true });
}

const noHints = {};
