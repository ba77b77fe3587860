/**
 * Position inside a container: before the first member, another member, the colon, the value, or the next
 * comma.
 */
export type JsonPhase = 'start' | 'item' | 'colon' | 'value' | 'after';

/** An object or array that is open. */
export interface JsonFrame {
  readonly isObject: boolean;
  readonly isSecret: boolean;
  phase: JsonPhase;
  /** Key of the current member. */
  name: string;
}

/** Placeholder for omitted content. */
const placeholder = '"… (cut)"';

/** Returns the character that closes the container. */
export function closingBracket({ isObject }: JsonFrame): string {
  return isObject ? '}' : ']';
}

/** Returns the placeholder in the form that is valid at the current position. */
export function placeholderAt({ isObject, phase }: JsonFrame): string {
  if (!isObject) return phase === 'after' ? `,${placeholder}` : placeholder;
  switch (phase) {
    case 'colon':
      return `:${placeholder}`;
    case 'value':
      return placeholder;
    case 'after':
      return `,"…":${placeholder}`;
    default:
      return `"…":${placeholder}`;
  }
}
