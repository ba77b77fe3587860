/** Rewrites how nushell sets variables for a command as other shells do: `A=b command`, `export A=b`. */
export function withPlainVariables(text: string): string {
  if (!/\b(?:with|load)-env\b/.test(text)) return text;
  return text
    .replace(
      /\bwith-env[ \t]{1,5}(\{[^{}]{0,2000}\}|\[[^[\]]{0,2000}\])[ \t]{0,5}\{([^{}]{1,4000})\}/g,
      (_, set: string, block: string) => [...assignments(set), block.trim()].join(' '),
    )
    .replace(/\bload-env[ \t]{1,5}(\{[^{}]{0,2000}\})/g, (_, set: string) =>
      ['export', ...assignments(set)].join(' '),
    );
}

/** Reads `{A: b, C: "d e"}` and `[A b C d]`. */
function assignments(set: string): readonly string[] {
  const pairs = set.matchAll(
    /([A-Za-z_]\w{0,100})["']?(?:\s{0,5}:\s{0,5}|\s{1,5})("[^"]{0,2000}"|'[^']{0,2000}'|[^\s,"'{}[\]]{1,2000})/g,
  );
  return [...pairs].map(([, name, value]) => `${name}=${value}`);
}
