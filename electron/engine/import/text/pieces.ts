import { addressKind } from './addresses.ts';
import { withoutDiff } from './clean.ts';

/** A text that mixes prose with code: fenced blocks, text between backticks, and the rest. */
export interface Pieces {
  readonly fenced: readonly Piece[];
  readonly inline: readonly string[];
  readonly prose: string;
  /** The whole text without the page's own addresses. */
  readonly body: string;
}

export interface Piece {
  readonly text: string;
  /** One-based line of the whole text at which it begins. */
  readonly line: number;
}

/** Splits a text in one pass over its lines. An unclosed fence extends to the end. */
export function piecesOf(text: string): Pieces {
  const fenced: Piece[] = [];
  const prose: string[] = [];
  let open: { readonly mark: string; readonly line: number; readonly lines: string[] } | undefined;
  const close = () => {
    if (open !== undefined && open.lines.length > 0) {
      fenced.push({ text: withoutDiff(withoutQuotePrefixes(open.lines)), line: open.line });
    }
    open = undefined;
  };
  const lines = text.split('\n');
  const frontMatterEnd = lines[0] === '---' ? lines.indexOf('---', 1) : -1;
  const after = lines.slice(frontMatterEnd + 1).join('\n');
  const isPage = frontMatterEnd > 1 && after.trim() !== '';
  const whole = lines.slice(1, Math.max(frontMatterEnd, 1)).join('\n');
  const described = isPage ? withoutPageAddress(whole) : whole;
  if (frontMatterEnd > 1) fenced.push({ text: described, line: 2 });
  for (const [index, line] of lines.entries()) {
    if (index <= frontMatterEnd) continue;
    const [, mark, info = ''] =
      /^[ \t>]{0,200}(?:[-*+] |\d{1,3}[.)] )?[ \t]{0,80}(`{3,}|~{3,})(.*)$/s.exec(line) ?? [];
    if (open === undefined) {
      if (mark === undefined || info.includes('`')) prose.push(line);
      else open = { mark, line: index + 2, lines: [] };
    } else if (mark?.startsWith(open.mark) && info.trim() === '') close();
    else open.lines.push(line);
  }
  close();
  const rest = prose.join('\n');
  return {
    fenced,
    inline: [...rest.matchAll(/`([^`\n]{1,2000})`/g)].map(([, code = '']) => code),
    prose: rest,
    body: isPage ? `${described}\n${after}` : text,
  };
}

/** Removes a page's own addresses, whose members look like those of a server. */
function withoutPageAddress(frontMatter: string): string {
  return frontMatter.replace(
    /^["']?([\w-]{1,40})["']?[ \t]{0,20}:[ \t]{0,20}["']?([^\s"']{0,2000}).*$/gm,
    (line, key: string, address: string) => {
      const kind = addressKind(address);
      const isOwn = key === 'url' || (/^https?:/.test(address) && !/server|mcp|endpoint/i.test(key));
      return isOwn && (kind.kind === 'page' || !kind.isSure) ? '' : line;
    },
  );
}

/** Removes the `>` markers of lines inside a quotation. */
function withoutQuotePrefixes(lines: readonly string[]): string {
  const written = lines.filter((line) => line.trim() !== '');
  const quoted = written.length > 0 && written.every((line) => /^[ \t]*>/.test(line));
  return (quoted ? lines.map((line) => line.replace(/^[ \t]*> ?/, '')) : lines).join('\n');
}
