import type { RawItem } from '../../catalogue/contract.ts';

/** A tool by its address, with its definition where that is known. */
export interface KnownTool {
  readonly serverKey: string;
  readonly name: string;
  readonly item?: RawItem | undefined;
}
