import type { JsonNode } from '../jsonc/parse.ts';
import { entryMember } from './aliases.ts';

/**
 * Returns the command line or URL as written, on one line, with likely secrets masked: it is shown in lists,
 * logs and problems. References such as `${TOKEN}` are not secrets and stay.
 */
export function displayOf(entry: JsonNode): string {
  const text = (name: string) => textOf(entryMember(entry, name)?.value);
  const url = text('url');
  if (url !== undefined) return displayUrl(url);
  const command = text('command');
  if (command === undefined) return '';
  const args = entryMember(entry, 'args')?.value;
  const words = (args?.type === 'array' ? (args.children ?? []) : []).map((child) =>
    String(child.value ?? '…'),
  );
  return [command, ...hideSecrets(words)].map(quoted).join(' ');
}

const hidden = '•••';

function textOf(node: JsonNode | undefined): string | undefined {
  return node?.type === 'string' ? String(node.value) : undefined;
}

/** Keys are often put into user names, passwords and query values of a URL. */
function displayUrl(url: string): string {
  return url
    .replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, `$1${hidden}@`)
    .replace(
      /([?&][^=&#?]*=)([^&#]*)/g,
      (_, name: string, value: string) => name + hiddenUnlessReference(value),
    )
    .replace(/#.*$/s, '');
}

const secretFlag =
  /^--?(?:[\w-]*[-_])?(?:api[-_]?key|key|token|secret|password|passwd|pass|auth|credentials?|header)$/i;
const secretAssignment =
  /^((?:--?)?(?:[\w-]*[-_])?(?:api[-_]?key|key|token|secret|password|passwd|pass|auth|credentials?)[=:])(.*)$/is;
const secretShape = /^(?:sk-|ghp_|gho_|github_pat_|glpat-|xox[abpr]-|AKIA|eyJ[\w-]+\.)/;

function hideSecrets(words: readonly string[]): readonly string[] {
  return words.map((word, index) => {
    const previous = words[index - 1];
    if (previous !== undefined && secretFlag.test(previous)) return hiddenUnlessReference(word);
    const assignment = secretAssignment.exec(word);
    if (assignment) return `${assignment[1]}${hiddenUnlessReference(assignment[2] ?? '')}`;
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(word)) return displayUrl(word);
    return secretShape.test(word) ? hidden : word;
  });
}

/** A reference names a secret without containing it. */
function hiddenUnlessReference(value: string): string {
  return value === '' || /^\$(?:\{[^{}]*\}|[A-Za-z_]\w*)$/.test(value) ? value : hidden;
}

/** A Windows path keeps its backslashes. */
function quoted(word: string): string {
  if (/^[^\s"']+$/.test(word)) return word;
  return /["\p{Cc}]/u.test(word) ? JSON.stringify(word) : `"${word}"`;
}
