import { isPlaceholder } from '../../../shared/model/entry-variable.ts';
import { isSecretName } from '../base/secret-name.ts';
import type { Path } from '../config/tree.ts';

/** A part of a text that stands where a value is to be filled in. */
export interface Placeholder {
  readonly from: number;
  readonly to: number;
  /** Words that describe the placeholder. */
  readonly words: string;
}

/**
 * Placeholders in instructions: the whole value of a variable, a header or an option (`xxx`, `sk-...`, nothing
 * under a secret's name), or a part of any text that says so itself (`<YOUR_KEY>`, `YOUR_API_KEY`, `{{KEY}}`).
 */
export function placeholdersIn(text: string, path: Path, before: string): readonly Placeholder[] {
  if (text.length > longest) return [];
  const lead = /^(?:bearer|basic|bot|token|api-?key|key)\s+(?=\S)/i.exec(text)?.[0].length ?? 0;
  const bare = text.slice(lead).trim();
  const name = nameOf(path, before, text);
  // A scheme alone waits for its token.
  if (path[0] === 'headers' && /^(?:bearer|basic|token)\s+$/i.test(text)) {
    return [{ from: text.length, to: text.length, words: name }];
  }
  if (isFilledByName(path, bare, name)) {
    return [
      { from: lead, to: text.length, words: /^\W*$|^[\W_x*.]*$/i.test(bare) ? name : wordsOf(bare, name) },
    ];
  }
  return [...text.matchAll(path[0] === 'url' ? spokenInAddress : spoken)].flatMap((match) => {
    const inner = match.slice(1).find((group) => group !== undefined) ?? match[0];
    return [{ from: match.index, to: match.index + match[0].length, words: wordsOf(inner, name) }];
  });
}

/** Longer texts are documents. */
const longest = 2000;

/** Says of itself, anywhere in a text, that it is to be filled in. */
const spoken = new RegExp(
  [
    /(?<![A-Za-z0-9])<(?!\/?(?:b|i|p|a|br|hr|li|ul|ol|td|tr|em|div|span|pre|code|strong|h\d)[\s>/])([A-Za-z][\w .:'/-]{1,80})>(?![A-Za-z0-9])/,
    /(?<![${])\{((?:YOUR|INSERT|ENTER)_[A-Z0-9_]{1,80})\}/,
    /(?<!\$)\{\{\s{0,20}([\w .-]{1,80}?)\s{0,20}\}\}/,
    /(?:^=)?(?<!\$)\{\{([^{}\n]{1,200})\}\}/,
    /(?<![A-Za-z0-9_${%-])((?:[a-z]{2,10}[_-]){1,3}your[_-][A-Za-z0-9_-]{1,60})/,
    /(?<![A-Za-z0-9_${%]|env[:.])((?:YOUR|INSERT|ENTER|REPLACE)[_-][A-Z0-9][A-Z0-9_-]{1,80}|MY_(?:[A-Z0-9]{1,20}_){0,4}(?:KEY|TOKEN|SECRET|PASSWORD)|[A-Z][A-Z0-9]{0,20}(?:_[A-Z0-9]{1,20}){0,6}_HERE|REPLACE_?ME|CHANGE_?ME)(?![A-Za-z0-9_])/,
    /(?<![A-Za-z0-9_${%]|env[:.])(your[_-](?:[a-z0-9]{1,40}[_-]){0,5}(?:keys?|tokens?|secrets?|passwords?|ids?|username|user|email|domain|host|org|organization|workspace|instance|tenant|project|account|region|name|url|site|team|subdomain|credentials?|here)(?:[_-]here)?)(?![A-Za-z0-9_])/,
    /(?<![A-Za-z0-9_-])((?:[A-Za-z]{1,12}[_-]){0,3}(?:x{4,}|X{4,})(?:[_-][xX]{3,}){0,6})(?![A-Za-z0-9_-])/,
    /#\{\s*([A-Za-z_][A-Za-z0-9_]{1,60})\s*\}/,
    /(?<![A-Za-z0-9_])__([A-Z][A-Z0-9_]{1,60}?)__(?![A-Za-z0-9_])/,
    /(?<=:\/\/[^\s:@/]{1,60}:)(password|passwd|pass|pwd|secret)(?=@)/,
    /(?<![A-Za-z0-9_-])((?:[a-z]{2,10}[_-]){1,3}(?:\.{3}|…|\*{3,}))/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

/** Templates of addresses have single braces. */
const spokenInAddress = new RegExp(`${spoken.source}|(?<![$\\{])\\{([A-Za-z][\\w-]{0,40})\\}`, 'g');

const exampleAddress =
  /^(?:you|your[\w.]{0,20}|user(?:name)?|me|name|email)@(?:example|company|domain|your[\w-]{0,20}|email)\.\w{2,10}$/i;

function isFilledByName(path: Path, bare: string, name: string): boolean {
  const [field] = path;
  if (field === 'env' || field === 'headers') {
    if (bare === '') return isSecretName(name);
    if (/^\$|\$\{|^\{[^{]/.test(bare)) return false;
    // `my-project` may well be the value itself.
    if (/^(?:my|add|put)/i.test(bare) && !isSecretName(name)) return false;
    if (exampleAddress.test(bare)) return true;
    if (describesSecret.test(bare) || foreignScript.test(bare)) return isSecretName(name);
    return isPlaceholder(bare) || /^(?:[a-z]{2,10}[-_]){1,3}(?:\.{3}|…|\*{3,})$/i.test(bare);
  }
  return field === 'args' && /^-/.test(name) && isSecretName(name) && bare !== '' && isPlaceholder(bare);
}

/** Says what is to be written, or where it is kept, where a secret should stand. */
const describesSecret = new RegExp(
  `^(?:${[
    /api[-_ ]?key|token|secret|password|key|optional|(?:leave|keep)[-_ ].*/,
    /(?:api|access|auth|bearer|private|personal)[-_ ](?:access[-_ ])?(?:key|token|password|secret)/,
    /fixme/,
    /(?:example|sample|dummy|fake)[-_ ]?(?:api[-_ ]?)?(?:key|token|secret|password|value|pat)?/,
    /(?:tu|mi|su|votre|ton|ta|deine?n?|ihre?n?|seu|sua|twoj|jouw|uw)[-_ ][a-z\u00C0-\u024F][a-z\u00C0-\u024F_ -]*/,
    /(?:keychain|keyring|vault|bw|bitwarden|lastpass|doppler|infisical|awssm|gcpsm|ssm|sops|exec|cmd):(?:\/\/)?[\w./-]+/,
  ]
    .map(({ source }) => source)
    .join('|')})$`,
  'i',
);

/** Keys are written in Latin letters. */
const foreignScript =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Cyrillic}]/u;

/** The variable, the header, or the option that stands before an argument. */
function nameOf(path: Path, before: string, text: string): string {
  if (path[0] === 'env' || path[0] === 'headers') return String(path[1] ?? '');
  return path[0] === 'args' ? (/^([A-Z][A-Z0-9_]+)=/.exec(text)?.[1] ?? before) : '';
}

/** Words of what is asked for: those of a variable, else those of the placeholder as far as they say something. */
function wordsOf(inner: string, name: string): string {
  if (/^[A-Z][A-Z0-9_]*$/.test(name)) return name;
  const said = inner
    .replace(/^[<[{]+|(?<![>\]}])[>\]}]+$/g, '')
    .replace(/^(?:[a-z]{2,6}[_-]){1,2}(?=your[_-])/, '')
    .replace(/^(?:your|my|insert|enter|replace|put|add|the|a)[\s_-]+/i, '')
    .replace(/(?<![\s_-])[\s_-]*here$/i, '')
    .replace(/^(?:your|the)[\s_-]+/i, '')
    .trim();
  const isWord =
    /[a-z]{2}/i.test(said) &&
    !/^x+$|@/i.test(said) &&
    !/^(?:[a-z]{2,10}[-_]){0,3}(?:\.{3}|…|\*|x{3})/i.test(said);
  return isWord ? said : name.replace(/^-+/, '') || 'value';
}
