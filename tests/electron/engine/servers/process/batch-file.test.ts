import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import {
  batchLine,
  findShimScript,
  isBatchFile,
} from '../../../../../electron/engine/servers/process/batch-file.ts';
import { startProcess } from '../../../../../electron/engine/servers/process/spawn-child.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';

/** Shim as npm writes it for a package. */
const packageShim = `@ECHO off\r
GOTO start\r
:find_dp0\r
SET dp0=%~dp0\r
EXIT /b\r
:start\r
SETLOCAL\r
CALL :find_dp0\r
\r
IF EXIST "%dp0%\\node.exe" (\r
  SET "_prog=%dp0%\\node.exe"\r
) ELSE (\r
  SET "_prog=node"\r
  SET PATHEXT=%PATHEXT:;.JS;=;%\r
)\r
\r
endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\\node_modules\\it\\cli.js" %*\r
`;

/** Shim as it comes with Node. */
const npxShim = `:: Created by npm, please don't edit manually.\r
@ECHO OFF\r
SET "NODE_EXE=%~dp0\\node.exe"\r
SET "NPM_CLI_JS=%~dp0\\node_modules\\npm\\bin\\npm-cli.js"\r
SET "NPX_CLI_JS=%~dp0\\node_modules\\npm\\bin\\npx-cli.js"\r
"%NODE_EXE%" "%NPX_CLI_JS%" %*\r
`;

describe('the script of a shim', () => {
  it('is found in what npm writes', () => {
    expect(findShimScript(packageShim, 'C:\\npm\\it.cmd')).toBe('C:\\npm\\node_modules\\it\\cli.js');
    expect(findShimScript(npxShim, 'C:\\nodejs\\npx.cmd')).toBe(
      'C:\\nodejs\\node_modules\\npm\\bin\\npx-cli.js',
    );
  });

  it.each([
    ['runs another program', packageShim.replaceAll('node.exe', 'python.exe')],
    ['gives arguments of its own', packageShim.replace('cli.js" %*', 'cli.js" --flag %*')],
    ['gives Node arguments', packageShim.replace('"%_prog%"  ', '"%_prog%" --inspect ')],
    ['is somebody else’s', '@echo off\r\nnode server.js %*\r\n'],
    ['is empty', ''],
  ])('is not assumed in a batch file that %s', (_, shim) => {
    expect(findShimScript(shim, 'C:\\it.cmd')).toBeUndefined();
  });
});

describe('the command line of another batch file', () => {
  it.each([
    ['plain', 'word', '"word"'],
    ['empty', '', '""'],
    ['with a space', 'two words', '"two words"'],
    ['with what separates commands', 'a&b|c>d<e', '"a&b|c>d<e"'],
    ['with a caret', 'a^b', '"a^b"'],
    ['with an exclamation mark', 'a!b!', '"a!b!"'],
    ['with parentheses', '(a)', '"(a)"'],
    ['with what separates arguments', 'a,b;c=d', '"a,b;c=d"'],
    ['with a quote', 'a"b', '"a""b"'],
    ['with a quote before a command', 'a"&calc', '"a""&calc"'],
    ['with a variable', '%PATH%', '"%%cd:~,%PATH%%cd:~,%"'],
    ['with a backslash at its end', 'C:\\', '"C:\\\\"'],
    ['with a backslash before a quote', 'a\\"b', '"a\\\\""b"'],
    ['with backslashes inside', 'C:\\a\\b', '"C:\\a\\b"'],
  ])('quotes an argument %s', (_, argument, quoted) => {
    expect(batchLine('C:\\a b\\s.cmd', [argument])).toBe(`"C:\\a b\\s.cmd" ${quoted}`);
  });

  it('refuses a line break, which would end the command', () => {
    expect(() => batchLine('s.cmd', ['a\nb'])).toThrow('line break');
  });

  it('is used for endings in any case', () => {
    expect(['a.cmd', 'A.BAT', 'a.exe', 'cmd'].map(isBatchFile)).toEqual([true, true, false, false]);
  });
});

const odd = [
  '',
  'two words',
  'a&b',
  'a|b',
  'a^b',
  '%PATH%',
  'a"b',
  'a"&b',
  'ä',
  'C:\\',
  '!a!',
  '(a)',
  'a,b;c=d',
];

describe.runIf(process.platform === 'win32')('a server that is a batch file', () => {
  const tells = 'console.log(JSON.stringify(process.argv.slice(2)))';

  async function told(file: string, content: string, script: string): Promise<unknown> {
    await mkdir(dirname(script), { recursive: true });
    await writeFile(script, tells);
    await writeFile(file, content);
    const env = { ...process.env, PATH: `${dirname(process.execPath)};${process.env.PATH}` };
    const child = await startProcess({
      ...{ file, args: odd, cwd: dirname(file) },
      env: env as Record<string, string>,
    });
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return output === '' ? errors : JSON.parse(output);
  }

  it('gets every odd argument unchanged through an npm shim, in a folder with a space', async () => {
    await using folder = await tempDir();
    const place = join(folder.path, 'a b');
    const script = join(place, 'node_modules', 'it', 'cli.js');
    expect(await told(join(place, 'it.cmd'), packageShim, script)).toEqual(odd);
  });

  it('gets every odd argument unchanged through any other batch file', async () => {
    await using folder = await tempDir();
    const script = join(folder.path, 'cli.js');
    const content = `@"${process.execPath}" "%~dp0cli.js" %*\r\n`;
    expect(await told(join(folder.path, 'it.cmd'), content, script)).toEqual(odd);
  });
});
