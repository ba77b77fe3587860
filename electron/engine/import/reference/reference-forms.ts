/** Capture groups of a reference; each form uses its own. */
export type ReferenceGroups = Readonly<
  Partial<
    Record<
      | 'what'
      | 'name'
      | 'secret'
      | 'setting'
      | 'percent'
      | 'brace'
      | 'template'
      | 'must'
      | 'shell'
      | 'program'
      | 'index'
      | 'call'
      | 'dotted'
      | 'actions'
      | 'path'
      | 'vault'
      | 'output'
      | 'run'
      | 'other'
      | 'rest'
      | 'bare'
      | 'folder'
      | 'copilot'
      | 'launcher',
      string
    >
  >
>;

/** Forms in which programs refer to values outside the text; a new form is a new line. */
export const foreignReferences = new RegExp(
  [
    /\$\{(?<what>input|prompt|file|command|cmd|config|secrets?|keychain|workspaceFolder|workspaceFolderBasename|workspaceRoot|userHome|pathSeparator|__dirname|\/)(?:[:.](?<name>[^{}\n]{0,300}))?\}/,
    /\$\{pkgs\.[\w.-]{1,100}\}\/bin\/(?<launcher>npx|npm|pnpm|node|uvx?|bunx?|deno|python3?|docker)(?![\w.-])/,
    /\$\{(?<folder>extensionPath|CLAUDE_PLUGIN_ROOT|pluginRoot)\}/,
    /(?<![\w{])\$?(?<copilot>COPILOT_MCP_\w{1,80})(?!\w)/,
    /\$\{\{\s*(?:secrets|inputs)\.(?<secret>[A-Za-z0-9_.-]{1,100})\s*\}\}/,
    /\$\{\{\s*vars\.(?<setting>[A-Za-z0-9_.-]{1,100})\s*\}\}/,
    /\$\{\{\s*env\.(?<actions>[A-Za-z_]\w{0,100})\s*\}\}/,
    /\$\{\s*(?:process\.env|import\.meta\.env|env)\.(?<template>[A-Za-z_]\w{0,100})\s*\}/,
    /\$\{(?<must>[A-Za-z_]\w{0,100}):\?[^{}\n]{0,200}\}/,
    /(?<!\$)\{(?:env|ENV):(?<brace>[A-Za-z_]\w{0,100})\}/,
    /(?<!\$)\{(?:file|FILE):(?<path>[^{}\n]{1,300})\}/,
    /(?<!\$)\$env:(?<shell>[A-Za-z_]\w{0,100})/,
    /(?:process|import\.meta|Bun)\.env\.(?<program>[A-Za-z_]\w{0,100})!?/,
    /(?:\bos\.environ\.get|\b(?:os\.|System\.)?getenv|\bDeno\.env\.get|\bEnvironment\.GetEnvironmentVariable)\(\s{0,9}["'](?<call>[A-Za-z_]\w{0,100})["'][^()\n]{0,100}\)/,
    /(?<![${])\{env\.(?<dotted>[A-Za-z_]\w{0,100})\}/,
    /(?:(?:process\.env|os\.environ|\bENV)\[["']?|\bos\.environ\/)(?<index>[A-Za-z_]\w{0,100})(?:["']?\])?/,
    /\bop:\/\/(?<vault>[\w ./-]{1,200})/,
    /\$\{(?<other>[A-Za-z][\w-]{0,40})[:.](?![-+=?])(?<rest>[^{}\n]{1,300})\}/,
    /(?<=^(?:(?:bearer|basic|token)\s{1,9})?|=)@?env:(?<bare>[A-Za-z_]\w{0,100})$/,
    /\$\((?<output>[^()\n]{1,300})\)/,
    /(?<=^(?:(?:bearer|basic|token)\s{1,9})?)(?:\{(?:cmd|command|exec|shell):[^{}\n]{1,300}\}|`[^`\n]{1,300}`|!(?:\/[\w./-]{1,200}|[a-z][\w-]{0,40})\s[^\n]{1,300})(?<run>)$/,
    /%(?<percent>[A-Z_][A-Z0-9_]{1,100}(?:\(X86\))?)%/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gi',
);

/** Secrets of GitHub agents have a prefix without further meaning. */
export function withoutPrefix(name: string): string {
  return name.replace(/^COPILOT_MCP_(?=.)/i, '');
}
