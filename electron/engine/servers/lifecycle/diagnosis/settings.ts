import { type Diagnosis, type DiagnosisRule, lineRule, type ProgramOutput, quoted } from './output-rows.ts';

/** Missing or unknown variables and arguments. */
export const settingRows: readonly DiagnosisRule[] = [
  lineRule(
    /the following (?:required )?arguments (?:are|were not) (?:required|provided): ?(.{0,200})$/i,
    ([names = ''], words) =>
      argumentMissing(names === '' ? lineAfter(words, /arguments were not provided/) : names),
  ),
  lineRule(
    /^(?:error: )?(?:required option|missing required argument|missing required option|missing option|missing argument|missing required flag|required flag\(s\)):? ['"`]?([^'"`]{1,100})/i,
    ([name = '']) => argumentMissing(name),
  ),
  lineRule(
    /(?:unknown option|unrecognized arguments?|unexpected argument|unknown argument|unknown flag|no such option|flag provided but not defined|unknown command):? ['"`]?(-{0,2}[\w=./-]{1,100})/i,
    ([name = '']) => ({
      code: 'argument_unknown',
      subject: name,
      sentence: `The server does not know the argument ${name}.`,
      fix: "Fix the arguments in the config; the server's README lists them.",
    }),
  ),
  lineRule(/run again with the (--allow-[\w-]{1,40}) flag/, ([name = '']) => argumentMissing(name)),
  lineRule(/\bmissing (?:the |required )?(?:argument |option |flag )?['"`]?(--[\w-]{1,60})/i, ([name = '']) =>
    argumentMissing(name),
  ),
  lineRule(
    /(--[\w-]{1,60})['"`]? (?:is|are|must be|was not) (?:required|missing|provided|specified|set)\b/i,
    ([name = '']) => argumentMissing(name),
  ),
  lineRule(
    /please (?:provide|specify|pass|give) (?:an? |the |at least one )?(.{3,60}?) (?:as an?|as the|on the|via the) (?:command[- ]line|argument|parameter|first)/i,
    ([name = '']) => argumentMissing(name),
  ),
  variable,
  lineRule(
    /\b(api[ _-]?key|access token|auth token|bot token|personal access token|credentials)\b.{0,60}\b(?:required|missing|not (?:set|found|provided|configured)|must be|is needed)\b/i,
    ([what = '']) => keyMissing(what),
  ),
  lineRule(
    /\b(?:missing|no|provide (?:an?|your)|requires? (?:an?|your)|need(?:s)? (?:an?|your)|set (?:an?|your)) (?:valid )?(api[ _-]?key|access token|auth token|bot token|personal access token|credentials)\b/i,
    ([what = '']) => keyMissing(what),
  ),
];

function argumentMissing(names: string): Diagnosis {
  const subject = quoted(names.split(',')[0] ?? names);
  return {
    code: 'argument_missing',
    subject,
    sentence: `The server needs another argument: ${quoted(names)}.`,
    fix: "Add it to the arguments in the config; the server's README explains it.",
  };
}

function keyMissing(what: string): Diagnosis {
  const word = what.toLowerCase().replace(/api[ _-]?key/, 'API key');
  const article = word === 'credentials' ? '' : /^[aA]/.test(word) ? 'an ' : 'a ';
  return {
    code: 'key_missing',
    sentence: `The server needs ${article}${word}.`,
    fix: "Add it to the variables or arguments in the config; the server's README says how.",
  };
}

function lineAfter({ lines }: ProgramOutput, pattern: RegExp): string {
  return lines[lines.findLastIndex((text) => pattern.test(text)) + 1] ?? '';
}

/** Finds the variables that the program asks for, in any known wording. */
function variable(words: ProgramOutput): Diagnosis | undefined {
  const names = schemaNames(words) ?? namesInSentences(words) ?? listedNames(words);
  const [subject] = names ?? [];
  if (names === undefined || subject === undefined) return undefined;
  const shown = names.length > 3 ? [...names.slice(0, 3), `${names.length - 3} more`] : names;
  const list = shown.length === 1 ? subject : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
  return {
    code: 'variable_missing',
    subject,
    sentence: `The server needs ${list}.`,
    fix:
      names.length === 1
        ? 'Enter the value; it becomes a variable of this server.'
        : 'Enter the values; they become variables of this server.',
  };
}

/** Finds names in the last line that says something is missing. */
function namesInSentences({ lines }: ProgramOutput): readonly string[] | undefined {
  const sentence = lines.findLast(
    (text) =>
      (missingPattern.test(text) || settingPattern.test(text)) &&
      !harmlessPattern.test(text) &&
      namesIn(text).length > 0,
  );
  return sentence === undefined ? undefined : namesIn(sentence);
}

const missingPattern =
  /\b(?:required|requires?|missing|must|mandatory|unset|undefined|provide|needs?|please set|set the|not (?:set|found|provided|defined|configured|specified|present|supplied|given|exist)|is empty|cannot be empty|without|KeyError|key not found|no value|not resolve placeholder|unbound variable|parameter null|NotPresent|not been (?:set|provided|defined|configured)|to be set|define|please configure|forget to set|empty)\b|n['’]t (?:set|found|provided|defined|configured|specified)\b/i;
const settingPattern = /\b(?:[Ss]et|export) (?:the |your )?[A-Z][A-Z0-9]{1,40}_/;
const harmlessPattern =
  /\b(?:default(?:s|ing)?|optional(?:ly)?|fall(?:ing|s)? ?back|deprecated|ignor(?:ed|ing)|disabled|skipp(?:ed|ing))\b|^\s*at /i;

/** Finds names listed below a heading such as "Missing environment variables:". */
function listedNames({ lines }: ProgramOutput): readonly string[] | undefined {
  const headline = /\b(?:missing|required|invalid)\b.{0,60}\b(?:variables?|settings?|env|configuration)\b/i;
  const at = lines.findLastIndex((text) => headline.test(text));
  const names = at < 0 ? [] : lines.slice(at + 1, at + 9).flatMap(namesIn);
  return names.length === 0 ? undefined : names;
}

/** Finds names in zod and pydantic reports, which print name and error on different lines. */
function schemaNames({ lines }: ProgramOutput): readonly string[] | undefined {
  const isZod = lines.some((text) =>
    /"(?:received": "undefined|message": "Required|message": "Invalid input: expected \w{1,20}, received undefined)"/.test(
      text,
    ),
  );
  const zod = lines.flatMap((text, at) => {
    const name = /^\s*"path": \[(?:\s*"(\w{1,80})")?/.exec(text);
    const below = /^\s*"(\w{1,80})"/.exec(lines[at + 1] ?? '');
    const path = name?.[1] ?? (name === null ? undefined : below?.[1]);
    return path === undefined ? [] : [path];
  });
  if (isZod && zod.length > 0) return unique(zod);
  const pydantic = lines.flatMap((text, at) => {
    const field = /^(\w{1,80})$/.exec((lines[at - 1] ?? '').trim())?.[1];
    return field !== undefined && /^\s*Field required\b/i.test(text) ? [field.toUpperCase()] : [];
  });
  return pydantic.length > 0 ? unique(pydantic) : undefined;
}

/** Finds names of environment variables in a line. */
function namesIn(text: string): readonly string[] {
  const tokens = text.match(/[A-Za-z0-9_]+/g) ?? [];
  const saysVariable = /\benv(?:ironment)?(?: variable| var)?s?\b|process\.env|KeyError/i.test(text);
  return unique(tokens.filter((token) => isName(token) && (token.includes('_') || saysVariable)));
}

function isName(token: string): boolean {
  return /^[A-Z][A-Z0-9_]{2,80}$/.test(token) && !notVariables.test(token);
}

/** Error codes and plain words that look like a variable name. */
const notVariables =
  /^(?:E[A-Z]{4,}|ERR_.*|.*_NOT_FOUND|.*_ERR(?:OR)?|.*_FAILED|.*_REQUIRED|.*_MISSING|INVALID_.*|MISSING_.*|HTTP|HTTPS|URL|JSON|API|ERROR|FATAL|WARN|WARNING|INFO|DEBUG|MCP|ENV|PATH|README|NOT|SET|MUST|REQUIRED|MISSING|UNABLE_TO_.*|SELF_SIGNED_.*|CERT_.*|DEPTH_ZERO_.*)$/;

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}
