/** Placeholders that can be recognized anywhere in a text. */
export const placeholderForms = pattern(
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
export const addressPlaceholderForms = pattern(placeholderForms, /(?<![${])\{([A-Za-z][\w-]{0,40})\}/);

/** Example mail addresses and hosts. */
export const exampleAddress =
  /^your[-_][\w-]{2,40}(?:\.[\w-]{1,40}){1,4}$|^(?:you|your[\w.]{0,20}|user(?:name)?|me|name|email)@(?:example|company|domain|your[\w-]{0,20}|email)\.\w{2,10}$/i;

/** Descriptions of a secret, or of where it is stored, in place of the secret. */
export const describesSecret = new RegExp(
  `^(?:${[
    /api[-_ ]?key|token|secret|password|key|optional|(?:leave|keep)[-_ ].*|\([^()]+\)|\{[a-z_][\w -]*\}/,
    /(?:api|access|auth|bearer|private|personal)[-_ ](?:access[-_ ])?(?:key|token|password|secret)/,
    /fixme/,
    /(?:example|sample|dummy|fake)[-_ ]?(?:api[-_ ]?)?(?:key|token|secret|password|value|pat)?/,
    /(?:fill|set)[-_ ](?:me|in|this|it|out)(?:[-_ ].*)?/,
    /(?:(?:il|la|lo|le|el|os?|a)[-_ ])?(?:tu|tuo|tua|mi|mio|mia|su|suo|sua|votre|ton|ta|deine?n?|ihre?n?|teu|seu|twoj|jouw|uw)[-_ ][a-z\u00C0-\u024F][a-z\u00C0-\u024F_ -]*/,
    /(?:inserisci|inserire|insert[ae]r?|insere|insira|coloque|coloca|cole|ingres[ae]|introduce|introduzca|pon|mettre|mettez|entrez|saisir|saisissez|einf\u00FCgen|eintragen)[-_ ].*/,
    /.{0,60}[-_ ](?:qui|aqu[i\u00ED]|ici|hier)(?:[-_ ].*)?/,
    /(?:keychain|keyring|vault|bw|bitwarden|lastpass|doppler|infisical|awssm|gcpsm|ssm|sops|exec|cmd):(?:\/\/)?[\w./-]+/,
  ]
    .map(({ source }) => source)
    .join('|')})$`,
  'i',
);

/** Keys consist of Latin letters. */
export const nonLatinScript =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Cyrillic}]/u;

function pattern(...forms: readonly RegExp[]): RegExp {
  return new RegExp(forms.map(({ source }) => source).join('|'), 'g');
}
