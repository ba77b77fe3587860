import { scalarText } from '../../../../../shared/json.ts';
import type { Entry } from '../entry/dialects.ts';

interface OtherText {
  readonly matches: (text: string) => boolean;
  readonly message: string;
}

/** Texts whose addresses do not lead to MCP servers. */
const otherTexts: readonly OtherText[] = [
  {
    matches: (text) =>
      /^[ \t{]{0,40}["']?(?:openapi|swagger|asyncapi)["']?\s{0,5}:\s{0,5}["']?\d/m.test(text),
    message:
      'This describes an API (OpenAPI), not an MCP server. Paste the command, the config or the address of an MCP server for this API.',
  },
  {
    matches: isVariables,
    message:
      'These are environment variables, not an MCP server. Paste the command or the config that uses them.',
  },
];

/** Returns the reason why a text contains no server; undefined if an address in it can only be one. */
export function noServerReason(
  text: string,
  found: readonly { readonly entry: Entry }[],
): string | undefined {
  const isOther = found.every(
    ({ entry }) => typeof entry.url === 'string' && !/^https?:\/\/mcp\.|\/(?:mcp|sse)\b/.test(entry.url),
  );
  return isOther ? otherTexts.find(({ matches: marks }) => marks(text))?.message : undefined;
}

/** Recognizes a `.env` file. A value with a space may be a command after its variable. */
function isVariables(text: string): boolean {
  const lines = text.split('\n').filter((line) => !/^\s*(?:#|```|~~~|$)/.test(line));
  return (
    lines.length > 0 &&
    lines.every((line) =>
      /^\s{0,20}(?:export\s{1,5})?[A-Z][A-Z0-9_]{0,100}=(?:"[^"]*"|'[^']*'|[^\s"']*)\s*(?:#.*)?$/.test(line),
    )
  );
}

/** Removes the addresses of members that are pages, pictures or keys: `icon: https://…`. */
export function withoutPages(text: string): string {
  return text.replace(pages, '$1');
}

const pages =
  /^([ \t]{0,100}(?:-[ \t]{1,5})?["']?(?:icons?|logo|avatar|readme|homepage|repository|toolsUrl|issuer|jwks(?:_?ur[il])?|(?:authorization|token|metadata|redirect|registration)_?(?:endpoint|ur[il])|\$?schema)["']?[ \t]{0,5}:)[ \t]{0,5}["']?https?:\/\/\S{1,2000}$/gim;

/** Recognizes an API description by its first members. */
export function describesApi(value: Entry): boolean {
  const isVersion = ['openapi', 'swagger', 'asyncapi'].some((name) => /^\d/.test(scalarText(value[name])));
  return isVersion && ['info', 'paths', 'channels', 'servers'].some((name) => value[name] !== undefined);
}
