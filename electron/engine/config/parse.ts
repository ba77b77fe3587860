import { type Node as JsonNode, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

/** A one-based position in a text, as editors count. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A position where the text is not JSON (with comments and trailing commas). */
export interface SyntaxFault extends Position {
  readonly message: string;
}

/** A JSONC text with its tree. Offsets in the tree are relative to `body`. */
export interface ParsedText {
  /** A byte order mark, kept for writing the text back. */
  readonly bom: string;
  readonly body: string;
  /** Undefined if the text has faults or is empty. */
  readonly root: JsonNode | undefined;
  /** All faults in order of position; empty for a valid text. */
  readonly faults: readonly SyntaxFault[];
}

export type { JsonNode };

/** Parses JSON with comments, trailing commas and a byte order mark. Never throws. */
export function parseText(text: string): ParsedText {
  const bom = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const body = text.slice(bom.length);
  if (body.trim() === '') {
    return { bom, body, root: undefined, faults: [{ message: 'the text is empty', line: 1, column: 1 }] };
  }
  const errors: ParseError[] = [];
  const tree = treeOf(body, errors);
  if (tree === 'too-deep') {
    return { bom, body, root: undefined, faults: [{ message: 'nested too deeply', line: 1, column: 1 }] };
  }
  const faults = faultsOf(body, errors);
  return { bom, body, root: faults.length === 0 ? tree : undefined, faults };
}

export function positionAt(body: string, offset: number): Position {
  const before = body.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** The parser is recursive; a text that overflows the stack is a fault like any other. */
function treeOf(body: string, errors: ParseError[]): JsonNode | undefined | 'too-deep' {
  try {
    return parseTree(body, errors, { allowTrailingComma: true });
  } catch (error) {
    if (error instanceof RangeError) return 'too-deep';
    throw error;
  }
}

/** Further faults are usually consequences of the first ones. */
const maxFaults = 50;

function faultsOf(body: string, errors: readonly ParseError[]): SyntaxFault[] {
  const byOffset = new Map<number, SyntaxFault>();
  for (const [index, { error, offset }] of errors.slice(0, maxFaults).entries()) {
    const code = printParseErrorCode(error);
    const previous = errors[index - 1];
    if (
      byOffset.has(offset) ||
      (previous !== undefined && isConsequence(printParseErrorCode(previous.error), code))
    ) {
      continue;
    }
    byOffset.set(offset, { message: faultMessages[code], ...positionAt(body, offset) });
  }
  return [...byOffset].sort(([a], [b]) => a - b).map(([, fault]) => fault);
}

type FaultCode = ReturnType<typeof printParseErrorCode>;

/** After a symbol it cannot read, the parser also reports what it expected there. */
function isConsequence(previous: FaultCode, code: FaultCode): boolean {
  return previous === 'InvalidSymbol' && (code === 'ValueExpected' || code === 'PropertyNameExpected');
}

const faultMessages: Readonly<Record<FaultCode, string>> = {
  InvalidSymbol: 'this is not a JSON value (text needs double quotes)',
  InvalidNumberFormat: 'this is not a valid number',
  PropertyNameExpected: 'a name in double quotes is expected here',
  ValueExpected: 'a value is expected here',
  ColonExpected: 'a colon is expected here',
  CommaExpected: 'a comma is expected here',
  CloseBraceExpected: 'a closing brace } is missing',
  CloseBracketExpected: 'a closing bracket ] is missing',
  EndOfFileExpected: 'the text should end here',
  InvalidCommentToken: 'a comment is not allowed here',
  UnexpectedEndOfComment: 'this comment never ends',
  UnexpectedEndOfString: 'this text never ends (a closing quote is missing)',
  UnexpectedEndOfNumber: 'this number is incomplete',
  InvalidUnicode: 'this \\u escape needs four hexadecimal digits',
  InvalidEscapeCharacter: 'this backslash escape is not valid (write \\\\ for a backslash)',
  InvalidCharacter: 'this character must be escaped inside text',
  '<unknown ParseErrorCode>': 'this is not valid JSON',
};
