import { isSecretName, isSecretWord, wordsOf } from './secret-name.ts';

/**
 * Whether a member of JSON holds a secret by its name. What programs send each other has many names that only sound so:
 * `serverKey`, `nextPageToken`, `keyFindings`, `prompt_tokens`. Written as variables are (`SERVER_KEY`) they are judged as
 * those. What stands under a name that passes is still looked at by its form.
 */
export function isSecretMember(name: string): boolean {
  return isSecretName(name) && (isVariable.test(name) || !isHarmless(wordsOf(name)));
}

/** Whether a number under this name counts tokens. */
export function countsTokens(name: string): boolean {
  return wordsOf(name).at(-1) === 'TOKENS';
}

const isVariable = /^[A-Z][A-Z0-9_]*$/;

/** Each of its words that sounds secret has to be explained by those beside it. */
function isHarmless(words: readonly string[]): boolean {
  const sounding = words.flatMap((word, index) => (isSecretWord(word) ? [index] : []));
  return sounding.length > 0 && sounding.every((index) => isExplained(words, index));
}

function isExplained(words: readonly string[], index: number): boolean {
  const word = words[index];
  const before = words[index - 1] ?? '';
  const after = words[index + 1];
  switch (word) {
    case 'KEY':
    case 'KEYS':
      return after === undefined ? keysThatName.has(before) : !keyParts.has(after) && !secretKeys.has(before);
    case 'TOKEN':
    case 'TOKENS':
      if (after !== undefined) return false;
      return marks.has(before) || (word === 'TOKENS' && countable.has(before));
    case 'PHRASE':
      return !secretPhrases.has(before);
    case 'PASS':
      return after === 'THROUGH' || after === 'RATE';
    case 'SIGNATURE':
      return signatures.has(before);
    default:
      return false;
  }
}

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}

/** `primaryKey`: what something is found by. */
const keysThatName = setOf(
  'PRIMARY FOREIGN SORT PARTITION RANGE COMPOSITE CANDIDATE UNIQUE INDEX SHARD ROW COLUMN FIELD SERVER CACHE LOOKUP IDEMPOTENCY ' +
    'ROUTING OBJECT DOCUMENT ISSUE EPIC PROJECT SPACE PARENT CHILD ITEM GROUP ORDER NODE FILE PAGE SECTION COMPONENT PUBLIC ' +
    'HOT SHORTCUT MODIFIER ARROW METADATA ATTRIBUTE PROPERTY DICTIONARY MAP JSON TRANSLATION MESSAGE LABEL TAG ' +
    'START END NEXT LAST EVALUATED',
);
/** `keyValue` is that of a key; `keyFindings` are important ones. */
const keyParts = setOf(
  'VALUE DATA MATERIAL PEM HEX BASE64 B64 STRING TEXT SECRET TOKEN PASS PASSWORD PASSPHRASE PHRASE 1 2',
);
const secretKeys = setOf('API ACCESS SECRET PRIVATE SIGNING ENCRYPTION MASTER ACCOUNT SSH');
/** `nextPageToken`: where to go on, or which of several it is. */
const marks = setOf(
  'PAGE NEXT PREVIOUS CONTINUATION CURSOR SYNC PROGRESS CANCELLATION START END STOP PAD MASK EOS BOS UNKNOWN',
);
/** `prompt_tokens`: what a model reads and writes. */
const countable = setOf(
  'PROMPT COMPLETION REASONING THINKING CACHED CACHE USED REMAINING AVAILABLE ESTIMATED AUDIO TEXT CONTEXT SCHEMA SAVED',
);
const secretPhrases = setOf('PASS SECRET SEED RECOVERY MNEMONIC BACKUP WALLET KEY');
const signatures = setOf('METHOD FUNCTION TYPE CALL CLASS CONSTRUCTOR OPERATOR');
