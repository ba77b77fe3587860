import { isPlaceholder, isUnfilledSecret } from '../../../../shared/model/import/entry-variable.ts';
import { isSecretName } from '../../base/mask/secret-name.ts';
import type { Path } from '../../config/jsonc/tree.ts';

/** Placeholders that can be recognized anywhere in a text. */
const placeholderForms = pattern(
  /(?<![A-Za-z0-9])<{1,3}(?!\/?(?:b|i|p|a|br|hr|li|ul|ol|td|tr|em|div|span|pre|code|strong|h\d)[\s>/])([A-Za-z][\w .:'/|-]{1,80})>{1,3}(?![A-Za-z0-9])/,
  /(?<![${])\{((?:YOUR|INSERT|ENTER)_[A-Z0-9_]{1,80}|your[-_ ][\w -]{1,60})\}/,
  /(?<!\$)\{\{\s{0,20}([\w .-]{1,80}?)\s{0,20}\}\}/,
  /(?:^=)?(?<!\$)\{\{([^{}\n]{1,200})\}\}/,
  /(?<![^=,])\{((?:[a-z]{1,20}[_-]){1,3}(?:dir|directory|path|folder|root)|(?:absolute_|ABSOLUTE_)?(?:path_to|PATH_TO)_\w{1,60})\}(?=$|[\\/,]|:[\\/])/,
  // Host names: the placeholder ends before the domain, or includes it if there is nothing else.
  /(?<=:\/\/(?:[^\s/?#@]{0,80}@)?)\{([A-Za-z][\w-]{0,40})\}(?=[.:/]|$)/,
  /(?<=:\/\/(?:[^\s/?#@]{0,80}@)?(?:[\w-]{1,40}\.){0,3})(your[-_][a-z0-9_-]{2,40}|YOUR[-_][A-Z0-9_-]{2,40}|your(?:company|domain|org|organi[sz]ation|site|server|host|instance|tenant|subdomain|name|team|workspace|app|store|shop|account|project))(?:(?=\.[\w-]{1,40}\.)|\.[a-z]{2,10}(?![\w.-])|(?=[:/]|$))/,
  /(?<=:\/\/(?:[^\s/?#@]{0,80}@)?)(x{3,})(?=\.)/,
  /(?<![A-Za-z0-9_${%-])((?:[a-z][a-z0-9]{1,9}[_-]){1,3}your[_-][A-Za-z0-9_-]{1,60})/,
  /(?<![A-Za-z0-9_${%-])((?:[a-z][a-z0-9]{1,9}[_-]){1,2}YOUR_(?:[A-Z0-9]{1,20}_){0,4}(?:KEY|TOKEN|SECRET|PAT))(?![A-Za-z0-9_])/,
  /(?<![A-Za-z0-9_${%]|env[:.])((?:YOUR|INSERT|ENTER|REPLACE)[_-][A-Z0-9][A-Z0-9_-]{1,80}|MY_(?:[A-Z0-9]{1,20}_){0,4}(?:KEY|TOKEN|SECRET|PASSWORD)|[A-Z][A-Z0-9]{0,20}(?:_[A-Z0-9]{1,20}){0,6}_HERE|REPLACE_?ME|CHANGE_?ME)(?![A-Za-z0-9_])/,
  /(?<![A-Za-z0-9_${%]|env[:.])(your[_-](?:[a-z0-9]{1,40}[_-]){0,5}(?:keys?|tokens?|secrets?|passwords?|ids?|username|user|email|domain|host|org|organization|workspace|instance|tenant|project|account|region|name|url|site|team|subdomain|port|database|bucket|cluster|collection|namespace|credentials?|here)(?:[_-]here)?)(?![A-Za-z0-9_])/,
  /(?<![A-Za-z0-9_-])((?:(?:[A-Za-z]{1,12}[_-]){0,3}|(?:sk|pk|gh[pousr])[_-][a-z]{1,4})(?:x{4,}|X{4,})(?:[_-][xX]{3,}){0,6})(?![A-Za-z0-9_-])/,
  /#\{\s*([A-Za-z_][A-Za-z0-9_]{1,60})\s*\}/,
  /(?<![A-Za-z0-9_])__([A-Z][A-Z0-9_]{1,60}?)__(?![A-Za-z0-9_])/,
  /(?<=:\/\/[^\s:@/]{1,60}:)(password|passwd|pass|pwd|secret)(?=@)/,
  /(?<![A-Za-z0-9_-])((?:[a-z]{2,10}[_-]){1,3}(?:\.{3}|…|\*{3,}))/,
);

/** Address templates use single braces. */
const addressPlaceholderForms = pattern(placeholderForms, /(?<![${])\{([A-Za-z][\w-]{0,40})\}/);

/** Example mail addresses and hosts. */
const exampleAddress =
  /^your[-_][\w-]{2,40}(?:\.[\w-]{1,40}){1,4}$|^(?:you|your[\w.]{0,20}|user(?:name)?|me|name|email)@(?:example|company|domain|your[\w-]{0,20}|email)\.\w{2,10}$/i;

/** Descriptions of a secret, or of where it is stored, in place of the secret. */
const describesSecret = new RegExp(
  `^(?:${[
    /api[-_ ]?key|token|secret|password|key|optional|(?:leave|keep)[-_ ].*|\([^()]+\)|\{[a-z_][\w -]*\}/,
    /(?:api|access|auth|bearer|private|personal)[-_ ](?:access[-_ ])?(?:key|token|password|secret)/,
    /fixme/,
    /(?:example|sample|dummy|fake)[-_ ]?(?:api[-_ ]?)?(?:key|token|secret|password|value|pat)?/,
    /(?:fill|set)[-_ ](?:me|in|this|it|out)(?:[-_ ].*)?/,
    /(?:(?:il|la|lo|le|el|os?|a)[-_ ])?(?:tu|tuo|tua|mi|mio|mia|su|suo|sua|votre|ton|ta|deine?n?|ihre?n?|teu|seu|twoj|jouw|uw)[-_ ][a-z\u00C0-\u024F][a-z\u00C0-\u024F_ -]*/,
    /(?:inserisci|inserire|insert[ae]r?|insere|insira|coloque|coloca|cole|ingres[ae]|introduce|introduzca|pon|mettre|mettez|entrez|saisir|saisissez|einf\u00FCgen|eintragen)[-_ ].*/,
    /.{0,60}[-_ ](?:qui|aqu[i\u00ED]|ici|hier)(?:[-_ ].*)?/,
    /(?:keychain|keyring|vault|bws?|bitwarden|lastpass|dashlane|1password|doppler|infisical|aws-?sm|aws-secretsmanager|gcp-?sm|azkv|akv|ssm|sops|ref\+[a-z]+|enc|exec|cmd):(?:\/\/)?[\w./#@:+=-]+/,
    /(?:go)?pass:(?:\/\/)?[\w.-]+\/[\w./-]+/,
  ]
    .map(({ source }) => source)
    .join('|')})$`,
  'i',
);

/** Keys consist of Latin letters. */
const nonLatinScript =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Cyrillic}]/u;

function pattern(...forms: readonly RegExp[]): RegExp {
  return new RegExp(forms.map(({ source }) => source).join('|'), 'g');
}

/** A placeholder in a text. */
export interface Placeholder {
  readonly from: number;
  readonly to: number;
  /** Words that describe the placeholder. */
  readonly words: string;
  /** Names that indicate whether it is a secret. */
  readonly names: readonly string[];
}

/** The value in a text, and the name it belongs to. */
interface Field {
  readonly kind: 'variable' | 'header' | 'option' | 'text';
  readonly name: string;
  /** Offset of the value in the text. */
  readonly start: number;
}

/**
 * Finds placeholders in instructions: the whole value of a variable, a header or an option (`xxx`, `sk-...`,
 * an empty value under a secret's name), or a recognizable part of any text (`<YOUR_KEY>`, `YOUR_API_KEY`,
 * `{{KEY}}`).
 */
export function placeholdersIn(text: string, path: Path, before: string): readonly Placeholder[] {
  if (text.length > maxTextLength) return [];
  const field = fieldOf(text, path, before);
  const { name, start } = field;
  const value = text.slice(start);
  const names = [name, ...path.map(String)];
  // A lone scheme needs its token.
  if (field.kind === 'header' && /^(?:bearer|basic|token)\s+$/i.test(value)) {
    return [{ from: text.length, to: text.length, words: name, names }];
  }
  const lead = /^(?:bearer|basic|bot|token|api-?key|key)\s+(?=\S)/i.exec(value)?.[0].length ?? 0;
  const bare = value.slice(lead).trim();
  if (isFilledByName(field, bare, before)) {
    const words = isMeaningless(bare) ? name.replace(/^-+/, '') : wordsOf(bare, name);
    return [{ from: start + lead, to: text.length, words, names: [words, ...names] }];
  }
  return innerPlaceholders(text, field, path, before);
}

/** Longer texts are documents. */
const maxTextLength = 2000;

/** Returns the variable, the header, or the option that a value belongs to. */
function fieldOf(text: string, [group, member]: Path, before: string): Field {
  if (group === 'env') return { kind: 'variable', name: String(member ?? ''), start: 0 };
  if (group === 'headers') return { kind: 'header', name: String(member ?? ''), start: 0 };
  if (group !== 'args') return { kind: 'text', name: '', start: 0 };
  const variable = /^([A-Z][A-Z0-9_]+)=/.exec(text);
  if (variable !== null) return { kind: 'variable', name: variable[1] ?? '', start: variable[0].length };
  const option = /^(-{1,2}[A-Za-z][\w-]*)=/.exec(text);
  if (option !== null) return { kind: 'option', name: option[1] ?? '', start: option[0].length };
  const header = /^(?:-H|--headers?)$/.test(before) ? /^([A-Za-z][\w-]*):\s*/.exec(text) : null;
  if (header !== null) return { kind: 'header', name: header[1] ?? '', start: header[0].length };
  return { kind: /^-{1,2}[A-Za-z][\w-]*$/.test(before) ? 'option' : 'text', name: before, start: 0 };
}

function isFilledByName({ kind, name }: Field, bare: string, before: string): boolean {
  const isSecret = isSecretName(name);
  if (kind === 'text') return false;
  // An option without a value is a switch.
  if (bare === '') return isSecret && kind !== 'option' && /^(?:|-e|--env)$/.test(before);
  if (/^\$|\$\{|^\{\{/.test(bare)) return false;
  if (isSecret && (isPlaceholder(bare) || isUnfilledSecret(bare))) return true;
  if (exampleAddress.test(bare)) return true;
  // `--auth token` chooses a method.
  if (describesSecret.test(bare) || nonLatinScript.test(bare)) return isSecret && !/^-+auth$/i.test(name);
  if (kind === 'option') return false;
  // `my-project` may well be a real value.
  if (/^(?:my|add|put)/i.test(bare)) return false;
  return isPlaceholder(bare) || /^(?:[a-z]{2,10}[-_]){1,3}(?:\.{3}|…|\*{3,})$/i.test(bare);
}

/** Returns whether a text is only punctuation, or the start of a key. */
function isMeaningless(bare: string): boolean {
  return /^[\W_x]*$/i.test(bare) || (isUnfilledSecret(bare) && !/your/i.test(bare));
}

/**
 * Finds placeholders inside a value. If a variable has several, or one in an address or path, each gets a
 * name of its own.
 */
function innerPlaceholders(text: string, field: Field, path: Path, before: string): readonly Placeholder[] {
  const { kind, name, start } = field;
  const value = text.slice(start);
  const found = [...markedPlaceholders(text, path, before), ...parametersIn(value, start)]
    .filter(
      ({ from, to }, index, all) => !all.slice(0, index).some((other) => other.from < to && from < other.to),
    )
    .sort((one, other) => one.from - other.from);
  const isAmid = found.length > 1 || /[/\\]/.test(text.slice(start, found[0]?.from));
  return found.map(({ from, to, inner, param }) => {
    const role = addressRole(text, from, to);
    const near = [role, param, enclosingMember(value.slice(0, from - start))].filter(
      (one) => one !== undefined,
    );
    if (kind === 'variable' && isAmid) {
      const label = param ?? describingWords(inner) ?? role ?? 'value';
      return { from, to, words: `${name} ${label}`, names: [label, ...near] };
    }
    const words = param ?? wordsOf(inner, name === '' ? (role ?? '') : name);
    return { from, to, words, names: [words, ...near, ...path.map(String)] };
  });
}

interface Part {
  readonly from: number;
  readonly to: number;
  readonly inner: string;
  /** The parameter of the address whose value it is. */
  readonly param?: string;
}

/** Programs that connect to the address that follows them. */
const bridgePrograms =
  /^(?:@[\w-]{1,40}\/)?(?:mcp-remote|mcp-proxy|mcp-client-proxy|supergateway)(?:@[\w.-]{1,40})?$|^--(?:sse|url|server-url)$/;

function markedPlaceholders(text: string, path: Path, before: string): readonly Part[] {
  const isAddress = path[0] === 'url' || (/^https?:\/\//.test(text) && bridgePrograms.test(before));
  return [...text.matchAll(isAddress ? addressPlaceholderForms : placeholderForms)].map((match) => ({
    from: match.index,
    to: match.index + match[0].length,
    inner: match.slice(1).find((group) => group !== undefined) ?? match[0],
  }));
}

/** Finds secrets to fill in in the parameters of an address: `?token=TOKEN`. */
function parametersIn(value: string, start: number): readonly Part[] {
  if (!/^[a-z][a-z0-9+.-]{0,20}:\/\//i.test(value)) return [];
  return [...value.matchAll(/[?&]([\w.-]{1,60})=([^&#\s]{1,200})/g)].flatMap((match) => {
    const [, param = '', inner = ''] = match;
    const bare = inner.replace(/%3c/gi, '<').replace(/%3e/gi, '>');
    const isOpen = isPlaceholder(bare) || isUnfilledSecret(bare) || describesSecret.test(bare);
    if (!isSecretName(param) || !isOpen) return [];
    const to = start + match.index + match[0].length;
    return [{ from: to - inner.length, to, inner, param }];
  });
}

/** Returns the role of a part of an address, by its position. */
function addressRole(text: string, from: number, to: number): string | undefined {
  const before = text.slice(Math.max(0, from - 200), from);
  if (text[to] === '@' && /:\/\/[^\s/?#@]*:$/.test(before)) return 'password';
  if (!/:\/\/$|@$/.test(before)) return undefined;
  return before.endsWith('/') && /^[^\s/?#]{0,200}@/.test(text.slice(to)) ? 'user' : 'host';
}

/** Returns the member of a JSON text or of a list of headers whose value contains the position. */
function enclosingMember(before: string): string | undefined {
  const near = before.slice(-200);
  const [, member, word] =
    /"([^"\\]{1,80})"\s{0,9}:\s{0,9}"[^"\\]{0,80}$|(?:^|[,;\n])\s{0,9}([A-Za-z][\w-]{0,60})\s{0,9}[:=][^,;\n:=]{0,80}$/.exec(
      near,
    ) ?? [];
  return member ?? word;
}

/**
 * Returns the words for a value: those of a variable, otherwise those of the placeholder if they say
 * something.
 */
function wordsOf(inner: string, name: string): string {
  if (/^[A-Z][A-Z0-9_]*$/.test(name)) return name;
  return describingWords(inner) ?? (name.replace(/^-+/, '') || 'value');
}

function describingWords(inner: string): string | undefined {
  const said = inner
    .replace(/^[<[{(]+|(?<![>\]})])[>\]})]+$/g, '')
    .replace(/^(?:[a-z0-9]{1,10}[-_.]){1,3}(?=your)/i, '')
    .replace(/^(?:your|my|insert|enter|replace|put|add|paste|the|a)[\s_-]+/i, '')
    .replace(/(?<![\s_-])[\s_-]*here$/i, '')
    .replace(/^(?:your|the)[\s_-]+/i, '')
    .replace(/^your(?=[a-z]{3})/i, '')
    .trim();
  const isWord =
    /[a-z]{2}/i.test(said) &&
    !/^x+$|@|^(?:change|replace|fill|set)[-_ ]?(?:me|it)$/i.test(said) &&
    !/^(?:[a-z]{2,10}[-_]){0,3}(?:\.{3}|…|\*|x{3})/i.test(said);
  return isWord ? said : undefined;
}
