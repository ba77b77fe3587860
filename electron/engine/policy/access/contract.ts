import type { DecisionCode, Effect, Grant, Risk } from '../../../../shared/model/access.ts';
import type { RawItem } from '../../catalogue/contract.ts';

/** A tool that somebody wants to call, as it is judged. */
export interface AskedTool {
  readonly serverKey: string;
  /** Its own name at its server. */
  readonly name: string;
  readonly risk: Risk;
}

/** A tool by its address, with its definition where that is known. */
export interface KnownTool {
  readonly serverKey: string;
  readonly name: string;
  readonly item?: RawItem | undefined;
}

export interface Verdict {
  readonly effect: Effect;
  readonly code: DecisionCode;
  /** Which decided. */
  readonly grant?: Grant;
}
