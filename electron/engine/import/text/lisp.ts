import type { Entry } from './dialects.ts';

type Form = string | Text | readonly Form[];
interface Text {
  readonly text: string;
}

/** Reads `mcp-hub-servers` of an Emacs config: `("kite" . (:command "npx" :args ("-y" "kite-mcp")))`. */
export function lispServers(text: string): Entry | undefined {
  if (text.length > maxLength || !/\(\s*:(?:command|url)\s/.test(text)) return undefined;
  const servers = formsIn(text).flatMap((form) => serversIn(form));
  return servers.length === 0 ? undefined : { mcpServers: Object.fromEntries(servers) };
}

const maxLength = 100_000;
const maxDepth = 50;
const token = /\s+|;[^\n]*|"((?:[^"\\]|\\[\s\S])*)"|[()]|[^\s()";]+/y;

/** Parses nested lists; an unmatched closing bracket ends the parsing. */
function formsIn(text: string): readonly Form[] {
  const open: Form[][] = [[]];
  token.lastIndex = 0;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [word, written] = match;
    const top = open.at(-1);
    if (word === '(' && open.length < maxDepth) open.push([]);
    else if (word === ')') {
      if (open.length === 1) break;
      const closed = open.pop() ?? [];
      open.at(-1)?.push(closed);
    } else if (written !== undefined) top?.push({ text: written.replace(/\\([\s\S])/g, '$1') });
    else if (!/^[\s;]/.test(word) && word !== '.' && !/^['`,@#]+$/.test(word)) top?.push(word);
  }
  return open[0] ?? [];
}

function serversIn(form: Form): readonly (readonly [string, Entry])[] {
  if (!isList(form)) return [];
  const [first, second] = form;
  const members = isList(second) ? second : form.slice(1);
  const entry = isText(first) ? membersIn(members) : undefined;
  return isText(first) && entry !== undefined && ('command' in entry || 'url' in entry)
    ? [[first.text, entry]]
    : form.flatMap(serversIn);
}

/** Reads alternating `:name value`, or pairs with texts as names. */
function membersIn(forms: readonly Form[]): Entry | undefined {
  const pairs = forms.flatMap((one) => {
    const [name, value] = isList(one) && one.length === 2 ? one : [];
    return isText(name) && value !== undefined ? [[name.text, meaningOf(value)] as const] : [];
  });
  if (forms.length > 0 && pairs.length === forms.length) return Object.fromEntries(pairs);
  if (!isKeyword(forms[0])) return undefined;
  return Object.fromEntries(
    forms.flatMap((form, at) => {
      const value = forms[at + 1];
      return isKeyword(form) && value !== undefined ? [[form.slice(1), meaningOf(value)]] : [];
    }),
  );
}

function meaningOf(form: Form): unknown {
  if (isText(form)) return form.text;
  if (!isList(form))
    return form === 't' ? true : form === 'nil' ? null : /^[\d.]+$/.test(form) ? Number(form) : `<${form}>`;
  const [head, name] = form;
  if (head === 'getenv' && isText(name)) return `\${${name.text}}`;
  return membersIn(form) ?? form.filter((one) => one !== 'list').map(meaningOf);
}

function isList(form: Form | undefined): form is readonly Form[] {
  return Array.isArray(form);
}

function isText(form: Form | undefined): form is Text {
  return form !== undefined && typeof form !== 'string' && !isList(form);
}

function isKeyword(form: Form | undefined): form is string {
  return typeof form === 'string' && form.startsWith(':');
}
