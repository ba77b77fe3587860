import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';

/** A JSON syntax error with its position. */
export interface SyntaxIssue {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

/** Returns all syntax errors of a JSON text; comments and trailing commas are allowed. */
export function syntaxIssues(text: string): readonly SyntaxIssue[] {
  const errors: ParseError[] = [];
  parse(text, errors, { allowTrailingComma: true });
  return errors.map(({ error, offset, length }) => ({
    from: Math.min(offset, text.length),
    to: Math.min(offset + Math.max(1, length), text.length),
    message: words(printParseErrorCode(error)),
  }));
}

/** Turns `CommaExpected` into `Comma expected`. */
function words(code: string): string {
  const spaced = code.replace(
    /([a-z])([A-Z])/g,
    (_match, left: string, right: string) => `${left} ${right.toLowerCase()}`,
  );
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
