import { isUtf8 } from 'node:buffer';
import { readlink, realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type Problem, ProblemError, problem } from '../../../../shared/error/problem.ts';
import { decodeUtf16 } from '../../base/decode-file.ts';
import { errorCode } from '../../store/files/atomic-file.ts';
import { NotAFileError, readRegularBytes } from '../../store/files/regular-file.ts';
import { type ParsedText, parseText, positionAt } from '../jsonc/parse.ts';
import { type ValidatedServer, validateFile } from '../validate/validate.ts';

/** The result of reading the config file. */
export type Reading =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly problem: Problem };

/** A valid text, which can be run and edited. */
export interface ValidText {
  readonly text: string;
  readonly parsed: ParsedText;
  readonly servers: readonly ValidatedServer[];
}

export const emptyConfig = '{\n  "mcpServers": {}\n}\n';

export async function readConfigFile(file: string): Promise<Reading> {
  try {
    const text = decodeConfig(await readRegularBytes(file));
    return text === undefined
      ? { kind: 'unreadable', problem: unknownEncoding(file) }
      : { kind: 'text', text };
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return { kind: 'missing' };
    return { kind: 'unreadable', problem: unreadable(file, error) };
  }
}

/**
 * Decodes a config; undefined if the encoding is unknown, so that it is never written back broken. UTF-16
 * from an editor on Windows becomes UTF-8 with a byte order mark when edited.
 */
export function decodeConfig(bytes: Buffer): string | undefined {
  const text = decodeUtf16(bytes);
  if (text !== undefined) return `\uFEFF${text}`;
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

function unknownEncoding(file: string): Problem {
  const sentence = `${file} is neither UTF-8 nor UTF-16.`;
  const fix = 'Save the file as UTF-8; until then the servers keep running as they were.';
  return problem('config.unreadable', sentence, fix, { file });
}

/**
 * Parses a config, or returns the problem that makes it unusable as a whole; problems of single entries stay
 * with their entries.
 */
export function validateConfigText(file: string, text: string): ValidText | Problem {
  const parsed = parseText(text);
  if (parsed.root === undefined) return invalidJson(file, parsed);
  // An empty object is a new config; one with only other members is more likely mistyped.
  if (parsed.root.type === 'object' && parsed.root.children?.length === 0)
    return { text, parsed, servers: [] };
  const judged = validateFile(parsed, parsed.root);
  if (judged.ok) return { text, parsed, servers: judged.servers };
  const { line, column } = positionAt(parsed.body, judged.issue.offset);
  const sentence = `${file} is not a server config: ${judged.issue.message} (line ${line}, column ${column}).`;
  return problem('config.invalid_schema', sentence, keepsRunning, { file, line, column });
}

export function missingFile(file: string): Problem {
  const fix =
    'Restore the file, or add a server in Patchbay, which creates it again. Until then the servers keep running. To have no servers, save it as {}.';
  return problem('config.file_not_found', `There is no config file ${file}.`, fix, { file });
}

function unreadable(file: string, error: unknown): Problem {
  const code = errorCode(error) ?? 'unknown error';
  if (error instanceof NotAFileError) {
    const sentence = `${file} is a ${error.kind}, not a file.`;
    const fix = `Replace the ${error.kind} with a config file; until then the servers keep running as they were.`;
    return problem('config.unreadable', sentence, fix, { file, error: code });
  }
  const fix = fixes.get(code) ?? 'Make sure that the file can be read; until then the servers keep running.';
  return problem('config.unreadable', `${file} cannot be read (${code}).`, fix, { file, error: code });
}

const permission = 'Get read permission for this file and its folder.';
const loop = 'Fix the symbolic link, which leads back to itself.';
const fixes: ReadonlyMap<string, string> = new Map([
  ['EACCES', permission],
  ['EPERM', permission],
  ['ELOOP', loop],
]);

/** Returns the path to write to, so that a symbolic link stays one, even if its target does not exist. */
export async function writablePath(file: string): Promise<string> {
  const target = await linkTarget(file);
  const info = await stat(target).catch(() => undefined);
  // Replacing a file needs no permission on the file itself, so the read-only mode must be checked.
  if (info === undefined || (info.mode & 0o222) !== 0) return target;
  const fix = 'Make the file writable, then try again.';
  throw new ProblemError(problem('config.unwritable', `${target} is read-only.`, fix, { file: target }));
}

/** Returns the file behind a symbolic link; the path itself if it is not one. */
export async function linkTarget(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch {
    const link = await readlink(file).catch(() => undefined);
    return link === undefined ? file : resolve(dirname(file), link);
  }
}

const keepsRunning = 'Fix the file; until then the servers keep running as they were.';

function invalidJson(file: string, { faults }: ParsedText): Problem {
  const [first] = faults;
  const { line, column, message } = first ?? { line: 1, column: 1, message: 'this is not valid JSON' };
  const all = faults.map((fault) => `line ${fault.line}, column ${fault.column}: ${fault.message}`);
  return problem(
    'config.invalid_json',
    `${file} is not valid JSON: ${message} (line ${line}, column ${column}).`,
    keepsRunning,
    { file, line, column, faults: all.join('\n') },
  );
}
