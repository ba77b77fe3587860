/** Where a container stands: before its first member, before another one, before the colon, its value, or the next comma. */
export type JsonPhase = 'start' | 'item' | 'colon' | 'value' | 'after';

/** An object or a list that has begun and not ended. */
export interface JsonFrame {
  readonly isObject: boolean;
  readonly isSecret: boolean;
  phase: JsonPhase;
  /** The key of the member it stands at. */
  name: string;
}

/** What stands where something was left out. */
const cutNote = '"… (cut)"';

/** What ends it. */
export function closing({ isObject }: JsonFrame): string {
  return isObject ? '}' : ']';
}

/** What says there that something was left out. */
export function noteAt({ isObject, phase }: JsonFrame): string {
  if (!isObject) return phase === 'after' ? `,${cutNote}` : cutNote;
  switch (phase) {
    case 'colon':
      return `:${cutNote}`;
    case 'value':
      return cutNote;
    case 'after':
      return `,"…":${cutNote}`;
    default:
      return `"…":${cutNote}`;
  }
}
