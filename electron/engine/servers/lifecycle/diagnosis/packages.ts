import {
  type Diagnosis,
  type DiagnosisRule,
  firstGroup,
  lineRule,
  type ProgramOutput,
  quoted,
} from './output-rows.ts';

const spelling =
  'Check the spelling of the package in the config. A private package needs a sign-in to its registry.';
const online = 'Check your internet connection, and the proxy if you use one, then try again.';

/** Messages of npm, npx, uvx, pip, bun, pnpm and deno when they cannot fetch a package. */
export const packageRows: readonly DiagnosisRule[] = [
  npm,
  lineRule(/GET https?:\/\/[^/\s]{1,200}\/(\S{1,200}?):? (?:- 404|Not Found - 404)/, ([path = '']) =>
    notFound('npm', decoded(path)),
  ),
  lineRule(/npm package '([^']{1,200})' does not exist/, ([name = '']) => notFound('npm', name)),
  lineRule(/error: (@?[\w./-]{1,200})@\S{1,80} failed to resolve$/, ([name = '']) => notFound('npm', name)),
  lineRule(/\bBecause ([\w.[\]-]{1,120}) was not found in the/, ([name = '']) => notFound('PyPI', name)),
  lineRule(
    /^Because there (?:is|are) no versions? of ([\w.[\]-]{1,120}?)(==\S{1,60})?(?: and|,|$)/,
    ([name = '', version = '']) => noVersion('PyPI', `${name}${version.replace(/,$/, '')}`),
  ),
  lineRule(/^ERROR: No matching distribution found for ([\w.[\]=<>~!-]{1,120})/, ([name = '']) =>
    notFound('PyPI', name),
  ),
  lineRule(
    /[Aa]n executable named [`'"]([^`'"]{1,100})[`'"] is not provided by package [`'"]([^`'"]{1,100})[`'"]/,
    ([program = '', name = '']) => ({
      code: 'package_unusable',
      subject: name,
      sentence: `The package ${name} has no program called ${program}.`,
      fix: `Start one of its own programs: uvx --from ${name} PROGRAM.`,
    }),
  ),
  lineRule(/Git executable not found/, () => programMissing('git')),
  lineRule(/No interpreter found for (Python[^.]{1,40})/, ([version = '']) => ({
    code: 'program_outdated',
    subject: 'python',
    sentence: `The server needs ${version.trim()}, which is not installed.`,
    fix: 'Install that version of Python, or another version of the package.',
  })),
  lineRule(/requires (?:a different )?Python[: ]{0,2}(\S{1,30})?/i, ([version = '']) => ({
    code: 'program_outdated',
    subject: 'python',
    sentence: `The server needs another version of Python${version === '' ? '' : ` (${quoted(version)})`}.`,
    fix: 'Install that version of Python.',
  })),
  lineRule(/Failed to (?:fetch|download).{0,40}https?:\/\/([^/\s`'"]{1,200})/, ([host = '']) =>
    unreachable(host),
  ),
  lineRule(/No solution found when resolving/, () => ({
    code: 'version_not_found',
    sentence: 'uv found no version of the package that fits.',
    fix: 'Check the name and the version of the package in the config.',
  })),
];

/** npm gives its error a code; other lines say what it concerns. */
function npm(words: ProgramOutput): Diagnosis | undefined {
  const code = firstGroup(words, /^npm (?:error|ERR!) code (\w{1,60})$/);
  const plain = firstGroup(
    words,
    /^npm (?:error|ERR!) (could not determine executable to run|Missing script: "[^"]{1,100}")/,
  );
  if (code === undefined && plain === undefined) return undefined;
  if (plain?.startsWith('could not')) return notRunnable(words);
  if (plain !== undefined) return own(`npm says: ${quoted(plain)}`, 'Check the arguments in the config.');
  return npmCodes[code ?? '']?.(words, code ?? '') ?? npmOther(words, code ?? '');
}

type NpmRow = (words: ProgramOutput, code: string) => Diagnosis | undefined;

const npmCodes: Readonly<Partial<Record<string, NpmRow>>> = {
  E404: (words) =>
    notFound(
      'npm',
      firstGroup(
        words,
        /[‘'`]([^‘’'`]{1,200})['’`] (?:could not be found|is not in (?:this|the npm) registry)/,
      ) ?? decoded(firstGroup(words, /404 Not Found - \w{3,6} https?:\/\/[^/\s]{1,200}\/(\S{1,200})/) ?? ''),
    ),
  ETARGET: (words) =>
    noVersion('npm', firstGroup(words, /No matching version found for (\S{1,200}?)\.?$/) ?? 'of that number'),
  E401: refused,
  E403: refused,
  ENEEDAUTH: refused,
  ENOTFOUND: offline,
  EAI_AGAIN: offline,
  ECONNREFUSED: offline,
  ECONNRESET: offline,
  ETIMEDOUT: offline,
  ERR_SOCKET_TIMEOUT: offline,
  EACCES: (words) => denied('npm', firstGroup(words, /^npm (?:error|ERR!) path (.{1,300})$/)),
  EPERM: (words) => denied('npm', firstGroup(words, /^npm (?:error|ERR!) path (.{1,300})$/)),
  ENOENT: (words) => {
    const path = firstGroup(words, /^npm (?:error|ERR!) path (.{1,300})$/);
    return path === undefined
      ? undefined
      : {
          code: 'path_missing',
          subject: path,
          sentence: `${path} does not exist.`,
          fix: 'npm needs it. Fix the folder ("cwd") or the arguments in the config.',
        };
  },
  EBADENGINE: (words) => outdatedNode(words),
  EBADPLATFORM: () =>
    own(
      'The package does not support this operating system.',
      'Use another package, or run the server on another computer.',
    ),
  ENOTEMPTY: damaged,
  EINTEGRITY: damaged,
  ECOMPROMISED: damaged,
};

function refused(_words: ProgramOutput, code: string): Diagnosis {
  return {
    code: 'registry_refused',
    sentence: `The npm registry refused access (${code}).`,
    fix: 'Sign in with "npm login", or fix the token in .npmrc.',
  };
}

function offline(words: ProgramOutput): Diagnosis {
  const host = firstGroup(words, /request to https?:\/\/([^/\s]{1,200})/) ?? 'the npm registry';
  return unreachable(host);
}

function unreachable(host: string): Diagnosis {
  return {
    code: 'registry_unreachable',
    subject: host,
    sentence: `${host} cannot be reached, so the package was not downloaded. Are you online?`,
    fix: online,
  };
}

function denied(program: string, path: string | undefined): Diagnosis {
  return {
    code: 'permission_denied',
    subject: path,
    sentence: `${program} is not allowed to write to ${path ?? 'its folder'}.`,
    fix: 'Take ownership of that folder (chown), or set another cache folder, then try again.',
  };
}

function damaged(_words: ProgramOutput, code: string): Diagnosis {
  return {
    code: 'cache_damaged',
    sentence: `npm's cache is damaged (${code}).`,
    fix: 'Run "npm cache clean --force", delete the folder ~/.npm/_npx, then try again.',
  };
}

function notRunnable({ args }: ProgramOutput): Diagnosis {
  const name = args.find((arg) => !arg.startsWith('-'));
  return {
    code: 'package_unusable',
    subject: name,
    sentence: `The package ${name ?? ''} has no program that npx can start.`.replace('  ', ' '),
    fix: 'Check the package name. The package’s README gives the command.',
  };
}

function npmOther(words: ProgramOutput, code: string): Diagnosis {
  const said = firstGroup(
    words,
    /^npm (?:error|ERR!) (?!code |path |errno |syscall |A complete log)(.{5,300})$/,
  );
  return own(
    `npm failed (${code})${said === undefined ? '' : `: ${quoted(said)}`}.`,
    'Check the package in the config, then try again.',
  );
}

function own(sentence: string, fix: string): Diagnosis {
  return { code: 'own_error', sentence, fix };
}

function notFound(registry: 'npm' | 'PyPI', asked: string): Diagnosis {
  const name = withoutVersion(asked);
  return {
    code: 'package_not_found',
    subject: name,
    sentence: name === '' ? `${registry} does not have this package.` : `${registry} has no package ${name}.`,
    fix: spelling,
  };
}

function noVersion(registry: 'npm' | 'PyPI', name: string): Diagnosis {
  return {
    code: 'version_not_found',
    subject: name,
    sentence: `${registry} has no version ${name}.`,
    fix: 'Fix the version in the config, or leave it out.',
  };
}

export function programMissing(program: string): Diagnosis {
  return {
    code: 'program_missing',
    subject: program,
    sentence: `${programTitles[program] ?? program} is not installed, or not on the PATH.`,
    fix: `Install ${programTitles[program] ?? `"${program}"`}, or write its full path in the config.`,
  };
}

export const programTitles: Readonly<Partial<Record<string, string>>> = {
  npx: 'Node.js',
  npm: 'Node.js',
  node: 'Node.js',
  uv: 'uv',
  uvx: 'uv',
  docker: 'Docker',
  podman: 'Podman',
  python: 'Python',
  python3: 'Python',
  bun: 'Bun',
  bunx: 'Bun',
  deno: 'Deno',
  git: 'Git',
};

export function outdatedNode(words: ProgramOutput): Diagnosis {
  const version =
    firstGroup(words, /^Node\.js (v\d{1,3}\.\d{1,3}\.\d{1,3})/) ??
    firstGroup(words, /current: \{ node: '(v[\d.]{1,20})'/);
  const wanted = firstGroup(words, /required: \{ node: '([^']{1,40})'/);
  return {
    code: 'program_outdated',
    subject: 'node',
    sentence: `The server needs a newer Node.js${version === undefined ? '' : ` than ${version}`}${wanted === undefined ? '' : ` (${wanted})`}.`,
    fix: 'Update Node.js, or name a newer one in "command".',
  };
}

function withoutVersion(name: string): string {
  const at = name.lastIndexOf('@');
  return at > 0 ? name.slice(0, at) : name;
}

function decoded(path: string): string {
  return path.replace(/%2f/gi, '/');
}
