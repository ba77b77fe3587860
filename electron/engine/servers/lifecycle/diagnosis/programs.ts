import { isAbsolute, resolve } from 'node:path';
import {
  type Diagnosis,
  type DiagnosisRule,
  firstGroup,
  lineRule,
  type ProgramOutput,
  quoted,
} from './output-rows.ts';
import { outdatedNode, programMissing } from './packages.ts';

/** Missing programs, files and modules, and code that an interpreter cannot run. */
export const programRows: readonly DiagnosisRule[] = [
  lineRule(
    /^(?:[\w./-]{1,60}: )?(?:line )?(?:\d{1,6}: )?([\w.@/+-]{1,200}): (?:command )?not found$/,
    ([program = ''], words) => programOrFileMissing(program, words),
  ),
  lineRule(/command not found: ([\w.@/+-]{1,200})$/, ([program = '']) => programMissing(program)),
  lineRule(/\bspawn (\S{1,300}) ENOENT/, ([program = ''], words) => programOrFileMissing(program, words)),
  lineRule(
    /^(?:\S{1,60}\/)?env: [‘'`"]?([\w.@+-]{1,100})['’`"]?: No such file or directory/,
    ([program = '']) => programMissing(program),
  ),
  lineRule(
    /^'?"?([\w.@+-]{1,100})"?'? is not recognized as an internal or external command/,
    ([program = '']) => programMissing(program),
  ),
  lineRule(/Failed to spawn: `([^`]{1,200})`/, ([program = ''], words) =>
    programOrFileMissing(program, words),
  ),
  lineRule(
    /^FileNotFoundError: \[Errno 2\] No such file or directory: '([^']{1,300})'/,
    ([path = ''], words) => programOrFileMissing(path, words),
  ),
  nodeModule,
  lineRule(/can't open file '([^']{1,300})': \[Errno 2\]/, ([path = ''], words) => fileMissing(path, words)),
  lineRule(/Module not found "(?:file:\/\/)?([^"]{1,300})"/, ([path = ''], words) =>
    fileMissing(path, words),
  ),
  lineRule(/Unable to access jarfile (.{1,300})$/, ([path = ''], words) => fileMissing(path, words)),
  lineRule(/Could not open input file: (.{1,300})$/, ([path = ''], words) => fileMissing(path, words)),
  lineRule(/ENOENT: no such file or directory, \w{1,20} '([^']{1,300})'/, ([path = ''], words) =>
    fileMissing(path, words),
  ),
  lineRule(
    /^(?:\S{1,60}: )?(?:line \d{1,6}: )?(\/[^:]{1,300}): No such file or directory$/,
    ([path = ''], words) => fileMissing(path, words),
  ),
  lineRule(/No module named '?([\w.-]{1,120})'?(?:;|$)/, ([name = '']) => ({
    code: 'module_missing',
    subject: name,
    sentence: `The Python module ${name} is not installed.`,
    fix: 'Install it for the Python that runs the server (pip install), or start the server with uvx.',
  })),
  lineRule(/UnsupportedClassVersionError|has been compiled by a more recent version of the Java/, () => ({
    code: 'program_outdated',
    subject: 'java',
    sentence: 'The server needs a newer Java.',
    fix: 'Update Java, or name a newer one in "command".',
  })),
  lineRule(/Unknown file extension "(\.\w{1,5})"/, ([extension = '']) => ({
    code: 'program_outdated',
    subject: 'node',
    sentence: `This version of Node.js cannot run ${extension} files.`,
    fix: 'Build the server first, start it with "npx tsx", or use a newer Node.js.',
  })),
  lineRule(/ERR_UNKNOWN_BUILTIN_MODULE|No such built-in module|bad option: --/, (_groups, words) =>
    outdatedNode(words),
  ),
  lineRule(
    /requested module '(?:node:)?(?:fs|fs\/promises|util|path|crypto|module|test|stream|timers\/promises)' does not provide an export/,
    (_groups, words) => outdatedNode(words),
  ),
  lineRule(
    /^ReferenceError: (?:File|fetch|Headers|WebSocket|ReadableStream|structuredClone|crypto|CustomEvent) is not defined/,
    (_groups, words) => outdatedNode(words),
  ),
  lineRule(
    /^TypeError: (?:\w{1,40}\.)?(?:withResolvers|groupBy|toSorted|toReversed|findLast|hasOwn|replaceAll|at|parseArgs|stripVTControlCharacters) is not a function/,
    (_groups, words) => outdatedNode(words),
  ),
  oldSyntax,
  lineRule(/Cannot use import statement outside a module/, (_groups, words) => ({
    code: 'syntax_error',
    subject: sourceOf(words),
    sentence: `${sourceOf(words) ?? 'The server'} is an ES module, but Node.js reads it as CommonJS.`,
    fix: 'Name the file .mjs, or set "type": "module" in its package.json.',
  })),
  lineRule(/^(?:SyntaxError|IndentationError|TabError): (.{1,300})$/, ([message = ''], words) => ({
    code: 'syntax_error',
    subject: sourceOf(words),
    sentence: `${sourceOf(words) ?? 'The server'} has a syntax error: ${quoted(message)}.`,
    fix: 'Fix the file, or start it with another program.',
  })),
];

/** A missing script, or a missing package that it needs. */
function nodeModule(words: ProgramOutput): Diagnosis | undefined {
  const pattern = /Cannot find (?:module|package) '([^']{1,300})'(?: imported from (.{1,300}))?/;
  const match = words.lines.findLast((text) => pattern.test(text))?.match(pattern);
  const [name, importer] = [match?.[1], match?.[2]];
  if (name === undefined) return undefined;
  const isPath = isAbsolute(name) || name.startsWith('.');
  if (isPath && importer === undefined && !words.lines.includes('Require stack:'))
    return fileMissing(name, words);
  return isPath
    ? {
        code: 'module_missing',
        subject: name,
        sentence: `A file of the server is missing: ${name}.`,
        fix: 'Rebuild or reinstall the server.',
      }
    : {
        code: 'module_missing',
        subject: name,
        sentence: `The Node.js package ${name} is not installed.`,
        fix: "Run npm install in the server's folder.",
      };
}

/** A file named in the config can be corrected there; any other belongs to the server. */
function fileMissing(path: string, { args, cwd = '/' }: ProgramOutput): Diagnosis {
  const isInConfig = args.some((arg) => arg === path || resolve(cwd, arg) === path);
  const fix = /[\\/](?:dist|build|out|lib)[\\/]/.test(path)
    ? 'Build the server first (npm run build), or choose the right file.'
    : isInConfig
      ? 'Choose the right file, or fix the path in the config.'
      : 'Create it, or fix the path in the config.';
  return {
    code: isInConfig ? 'file_missing' : 'path_missing',
    subject: path,
    sentence: `${shortPath(path)} does not exist.`,
    fix,
  };
}

/** Shortens a long path to its end, which distinguishes it. */
function shortPath(path: string): string {
  const parts = path.split(/[\\/]/);
  return path.length <= maxPathLength || parts.length < 4 ? path : `…/${parts.slice(-2).join('/')}`;
}

const maxPathLength = 32;

function programOrFileMissing(name: string, words: ProgramOutput): Diagnosis {
  return /[\\/]|\.\w{1,10}$/.test(name) ? fileMissing(name, words) : programMissing(name);
}

/** Syntax that old versions of Node.js do not know; before version 17 they do not print their version. */
function oldSyntax(words: ProgramOutput): Diagnosis | undefined {
  const token = firstGroup(words, /^SyntaxError: Unexpected (?:token )?(.{1,40})$/);
  if (token === undefined) return undefined;
  const isOld =
    words.lines.some((text) => text.includes('internal/modules/cjs/loader.js')) ||
    /^'?(?:\?\?=|\|\|=|&&=)'?$/.test(token);
  return isOld ? outdatedNode(words) : undefined;
}

/** Returns the source file named by a syntax error. */
function sourceOf(words: ProgramOutput): string | undefined {
  return (
    firstGroup(words, /^\s*File "([^"]{1,300})", line \d/) ??
    firstGroup(words, /^(?:file:\/\/)?((?:\/|[A-Z]:\\)[^:]{1,300}):\d{1,7}$/)
  );
}
