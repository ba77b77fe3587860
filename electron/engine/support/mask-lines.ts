import { maskJson } from '../base/mask/mask-json.ts';
import { masked, maskText } from '../base/mask/mask-text.ts';
import { isSecretName } from '../base/mask/secret-name.ts';
import { createRedactor } from '../servers/log/redact.ts';

export interface MaskLinesOptions {
  readonly secrets: readonly string[];
  /** Replaced by `~`, since it contains the user's name. */
  readonly home: string;
}

/**
 * Masks a text: first known secrets, then line by line what looks like a secret or has the name of one. Long
 * lines are cut, and terminal control sequences removed.
 */
export function lineMasker({ secrets, home }: MaskLinesOptions): (text: string) => string {
  const redact = createRedactor(secrets);
  const withoutHome = (line: string) => (home.length > 1 ? line.replaceAll(home, '~') : line);
  return (text) =>
    redact(text)
      .split(/\r?\n/)
      .map((line) => maskLine(withoutHome(line.replace(invisibleCharacters, '')), redact))
      .join('\n');
}

function maskLine(line: string, redact: (text: string) => string): string {
  const isJson = /^\s*[{[].*[}\]]\s*$/.test(line);
  const shown = isJson
    ? maskJson(line, { redact: (part) => maskOptions(redact(part)), maxLength: maxLineLength }).text
    : maskText(maskOptions(redact(line)));
  return shown.length > maxLineLength ? `${shown.slice(0, maxLineLength)}… (cut)` : shown;
}

/** Handles `--api-key=abc` and `--password abc`: any text may be a command line. */
function maskOptions(line: string): string {
  return line.replace(options, (whole: string, name: string, sign: string) =>
    isSecretName(name) ? `--${name}${sign}${masked}` : whole,
  );
}

const options = /(?<![\w-])--([A-Za-z][\w-]{0,60})(=["']?|\s+["']?)(?!-)[^\s"',]+/g;

/** Terminal colours and other invisible characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const invisibleCharacters = /\u001b\[[0-9;?]*[A-Za-z]|(?!\t)\p{Cc}|\p{Cf}/gu;
const maxLineLength = 2_000;
