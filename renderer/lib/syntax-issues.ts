import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';

/** A mistake in the JSON itself, with its place. */
export interface SyntaxIssue {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

/** All mistakes in a JSON text; comments and trailing commas are allowed. */
export function syntaxIssues(text: string): readonly SyntaxIssue[] {
  const errors: ParseError[] = [];
  parse(text, errors, { allowTrailingComma: true });
  return errors.map(({ error, offset, length }) => ({
    from: Math.min(offset, text.length),
    to: Math.min(offset + Math.max(1, length), text.length),
    message: words(printParseErrorCode(error)),
  }));
}

/** `CommaExpected` as `Comma expected`. */
function words(code: string): string {
  const spaced = code.replace(
    /([a-z])([A-Z])/g,
    (_match, left: string, right: string) => `${left} ${right.toLowerCase()}`,
  );
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
