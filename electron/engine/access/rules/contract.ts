import type { RawItem } from '../../catalogue/contract.ts';

/** A tool with its definition, if known. */
export interface KnownTool {
  readonly serverKey: string;
  readonly name: string;
  readonly item?: RawItem | undefined;
}
