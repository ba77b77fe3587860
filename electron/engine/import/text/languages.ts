import { isSurely } from './lenient-parse.ts';
import { lispServers } from './lisp.ts';
import type { Piece } from './pieces.ts';
import { calledServers } from './program-calls.ts';
import { unitServer } from './unit-file.ts';

/** A config in a language of one program alone, with its name for people. */
export function otherLanguage(text: string): { readonly value: object; readonly form: string } | undefined {
  const unit = unitServer(text);
  if (unit !== undefined) return { value: unit, form: 'a unit of systemd' };
  const called = calledServers(text);
  if (called !== undefined) return { value: called, form: 'code' };
  const lisp = lispServers(text);
  return lisp === undefined ? undefined : { value: lisp, form: 'Emacs Lisp' };
}

/** Ends a line with what servers stand under, which JavaScript does not. */
export const blockYaml =
  /^[ \t]*(?:-[ \t]+)?(?:mcpServers|mcp_servers|mcp-servers|mcp|servers|context_servers|extensions)[ \t]*:[ \t]*$/m;

/** Documents of a stream of YAML that hold servers; what only stands before a text has none beside it. */
export function yamlDocuments(text: string): readonly Piece[] {
  const parts = text.split(/^---[ \t]*$/m);
  if (parts.length < 2 || parts.length > 50) return [];
  const pieces = parts.map((part, index) => ({
    text: part,
    line: parts.slice(0, index).join('').split('\n').length,
  }));
  return pieces.filter((piece) => isSurely('yaml', piece.text));
}

/** Undefined for values without end. Large integers of TOML are numbers like others, or texts where those lose digits. */
export function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? plainInteger(one) : one));
  } catch {
    return undefined;
  }
}

function plainInteger(value: bigint): number | string {
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
}
