/** A URI template (RFC 6570), compiled to check whether a URI could have come from it. */
export interface UriTemplate {
  /** Number of literal characters; of two matching templates, the one with more is more specific. */
  readonly literalCount: number;
  matches(uri: string): boolean;
}

/**
 * Compiles a template. An expression matches any text: `{x}` without `/`, the operators `+ # / ?` and `&`
 * also with it. Matching takes time proportional to both lengths, so no template can make it slow.
 */
export function compileUriTemplate(template: string): UriTemplate {
  const parts = template.split(/(\{[^{}]*\})/).filter((part) => part !== '');
  const tokens = parts.flatMap(toTokens);
  return {
    literalCount: tokens.filter((token) => token.kind === 'literal').length,
    matches: (uri) => matches(tokens, uri),
  };
}

type Token =
  | { readonly kind: 'literal'; readonly char: string }
  | { readonly kind: 'any'; readonly stops: string };

function toTokens(part: string): readonly Token[] {
  if (!part.startsWith('{') || !part.endsWith('}')) {
    return part.split('').map((char) => ({ kind: 'literal', char }));
  }
  return [{ kind: 'any', stops: /^\{[+#/?&]/.test(part) ? '' : '/' }];
}

/** Follows all possible matches at once; the positions are those of the tokens that may come next. */
function matches(tokens: readonly Token[], uri: string): boolean {
  let reached = skipAny(tokens, new Set([0]));
  for (const char of uri.split('')) {
    const next = new Set<number>();
    for (const at of reached) {
      const token = tokens[at];
      if (token?.kind === 'literal' && token.char === char) next.add(at + 1);
      if (token?.kind === 'any' && token.stops !== char) next.add(at);
    }
    if (next.size === 0) return false;
    reached = skipAny(tokens, next);
  }
  return reached.has(tokens.length);
}

/** Adds the positions behind expressions, which may match nothing. */
function skipAny(tokens: readonly Token[], positions: ReadonlySet<number>): ReadonlySet<number> {
  const all = new Set(positions);
  // Iterating a set includes elements added meanwhile.
  for (const at of all) if (tokens[at]?.kind === 'any') all.add(at + 1);
  return all;
}
