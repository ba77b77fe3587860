import type { ConfigFormat } from '../../../clients/format/contract.ts';
import { withLiteralPaths } from './windows-paths.ts';

/**
 * Parses YAML as people write it: with unquoted package names and asterisks, which its grammar reserves, and
 * with prose around it.
 */
export function parsedYaml(format: ConfigFormat, written: string): unknown {
  const text = withLiteralPaths(written);
  try {
    return format.parse(text);
  } catch (error) {
    const quoted = text
      .replace(/(^[ \t]*(?:-[ \t]+)?|[[,:][ \t]+|\[)(@[\w./@-]+)(?=[ \t]*(?:[,\]]|$))/gm, '$1"$2"')
      .replace(/(:[ \t]+)(\*{2,}|%\w+%)[ \t]*$/gm, '$1"$2"');
    for (const other of [quoted, largestYamlBlock(quoted)]) {
      try {
        if (other !== text) return format.parse(other);
      } catch {
        // The fault of the original text best describes what to correct.
      }
    }
    throw error;
  }
}

/**
 * Returns the longest run of lines that are YAML: a member, and everything that belongs to it or follows it.
 */
function largestYamlBlock(text: string): string {
  const lines = text.split('\n');
  let largest: readonly string[] = [];
  let block: string[] = [];
  let indent = 0;
  for (const line of lines) {
    const own = line.search(/\S/);
    const isMember = /^\s*(?:-[ \t]+)?["']?[\w.@/-]{1,200}["']?[ \t]*:(?:[ \t]|$)/.test(line);
    const belongs = own === -1 || own > indent || (own === indent && /^\s*[#\]}-]/.test(line));
    if (block.length > 0 && (belongs || (own === indent && isMember))) block.push(line);
    else if (isMember) [block, indent] = [[line], own];
    else block = [];
    if (block.length > largest.length) largest = block;
  }
  return largest.join('\n');
}

/** Parses TOML with prose before and after it. */
export function parsedToml(format: ConfigFormat, written: string): unknown {
  const text = withLiteralPaths(written);
  try {
    return format.parse(text);
  } catch (error) {
    const lines = text.split('\n');
    const first = lines.findIndex((line) => /^[ \t]*\[{1,2}[^\][]{1,300}\]{1,2}[ \t]*(?:#.*)?$/.test(line));
    const last = lines.findLastIndex((line) => /^[ \t]*(?:[\w."'@/-]{1,200}[ \t]*=|\[|[\]}])/.test(line));
    if (first === -1 || last < first || (first === 0 && last === lines.length - 1)) throw error;
    try {
      return format.parse(lines.slice(first, last + 1).join('\n'));
    } catch {
      throw error;
    }
  }
}

/** Returns the languages that a text may be in, by their typical lines; none if it cannot contain servers. */
export function likelyLanguages(text: string, mayBeYaml: boolean): readonly ('toml' | 'yaml')[] {
  if (!/command|cmd|url|uri|mcp|endpoint|transport|extensions|image/i.test(text)) return [];
  const isToml =
    /^[ \t]*(?:\[{1,2}[^\][\n]{1,300}\]{1,2}[ \t]*(?:#[^\n]*)?$|[\w."'@/-]{1,200}[ \t]*=[ \t]*["'[{\dtf])/m.test(
      text,
    );
  const isYaml =
    mayBeYaml &&
    /^[ \t]*(?:-[ \t]+)?["']?[\w.@/-]{1,200}["']?[ \t]*:(?:[ \t]|$)/m.test(text) &&
    !/^\s*[{[]/.test(text);
  return [...(isToml ? (['toml'] as const) : []), ...(isYaml ? (['yaml'] as const) : [])];
}

export function isCertainly(language: 'toml' | 'yaml', text: string): boolean {
  return language === 'toml'
    ? /^[ \t]*(?:\[{1,2}\s*["']?mcp|mcp_servers\s*[.=])/m.test(text)
    : /^[ \t]*(?:mcpServers|mcp_servers|mcp|extensions|servers|context_servers)[ \t]*:/m.test(text);
}
