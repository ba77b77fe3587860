import { isSecretName, isSecretWord, wordsOf } from './secret-name.ts';

/**
 * Tells whether a JSON member holds a secret, judged by its name. Protocol messages have many names that only
 * sound secret: `serverKey`, `nextPageToken`, `keyFindings`, `prompt_tokens`. Names written like variables
 * (`SERVER_KEY`) are judged as variables. Values whose name passes are still checked by shape.
 */
export function isSecretMember(name: string): boolean {
  return isSecretName(name) && (isVariable.test(name) || !isHarmless(wordsOf(name)));
}

/** Tells whether a number with this name counts tokens. */
export function countsTokens(name: string): boolean {
  return wordsOf(name).at(-1) === 'TOKENS';
}

const isVariable = /^[A-Z][A-Z0-9_]*$/;

/** Every secret-sounding word must be explained by its neighbours. */
function isHarmless(words: readonly string[]): boolean {
  const sounding = words.flatMap((word, index) => (isSecretWord(word) ? [index] : []));
  return sounding.length > 0 && sounding.every((index) => isExplainedByContext(words, index));
}

function isExplainedByContext(words: readonly string[], index: number): boolean {
  const word = words[index];
  const before = words[index - 1] ?? '';
  const after = words[index + 1];
  switch (word) {
    case 'KEY':
    case 'KEYS':
      return after === undefined
        ? identifyingKeys.has(before)
        : !keyParts.has(after) && !secretKeys.has(before);
    case 'TOKEN':
    case 'TOKENS':
      if (after !== undefined) return false;
      return positionTokens.has(before) || (word === 'TOKENS' && countedTokens.has(before));
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

/** `primaryKey` identifies something. */
const identifyingKeys = setOf(
  'PRIMARY FOREIGN SORT PARTITION RANGE COMPOSITE CANDIDATE UNIQUE INDEX SHARD ROW COLUMN FIELD SERVER CACHE LOOKUP IDEMPOTENCY ' +
    'ROUTING OBJECT DOCUMENT ISSUE EPIC PROJECT SPACE PARENT CHILD ITEM GROUP ORDER NODE FILE PAGE SECTION COMPONENT PUBLIC ' +
    'HOT SHORTCUT MODIFIER ARROW METADATA ATTRIBUTE PROPERTY DICTIONARY MAP JSON TRANSLATION MESSAGE LABEL TAG ' +
    'START END NEXT LAST EVALUATED',
);
/** `keyValue` is the value of a key; `keyFindings` are important findings. */
const keyParts = setOf(
  'VALUE DATA MATERIAL PEM HEX BASE64 B64 STRING TEXT SECRET TOKEN PASS PASSWORD PASSPHRASE PHRASE 1 2',
);
const secretKeys = setOf('API ACCESS SECRET PRIVATE SIGNING ENCRYPTION MASTER ACCOUNT SSH');
/** `nextPageToken` marks a position or identifies one of several things. */
const positionTokens = setOf(
  'PAGE NEXT PREVIOUS CONTINUATION CURSOR SYNC PROGRESS CANCELLATION START END STOP PAD MASK EOS BOS UNKNOWN',
);
/** `prompt_tokens` counts model tokens. */
const countedTokens = setOf(
  'PROMPT COMPLETION REASONING THINKING CACHED CACHE USED REMAINING AVAILABLE ESTIMATED AUDIO TEXT CONTEXT SCHEMA SAVED',
);
const secretPhrases = setOf('PASS SECRET SEED RECOVERY MNEMONIC BACKUP WALLET KEY');
const signatures = setOf('METHOD FUNCTION TYPE CALL CLASS CONSTRUCTOR OPERATOR');
