import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Problem } from '../../../../../../shared/error/problem.ts';
import { tempDir } from '../../../../../helper/temp-dir.ts';
import { harness, order } from '../../harness.ts';

const run = promisify(execFile);
/** Node for Windows is run without npm. */
const hasNpx = process.platform !== 'win32';
const hasPython = await run('python3', ['--version']).then(
  () => true,
  () => false,
);

/** Returns the problem of a program's first start. */
async function problemOf(command: string, args: readonly string[], more = {}): Promise<Problem> {
  await using h = harness();
  h.supervisor.apply([order('a', 'echo', { restart: 'never', target: { command, args, ...more } })]);
  return (await h.until('a', 'error')).problem;
}

const node = (code: string) => problemOf(process.execPath, ['-e', code]);

async function scriptProblem(name: string, text: string, command = process.execPath): Promise<Problem> {
  await using folder = await tempDir();
  const file = join(folder.path, name);
  await writeFile(file, text);
  return await problemOf(command, [file], { cwd: folder.path });
}

describe('[US1.6] the output of real programs becomes the sentence', () => {
  it.runIf(hasNpx)('of npx, for a package that its registry does not have', async () => {
    await using folder = await tempDir();
    const registry = createServer((_request, response) => {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"Not found"}');
    });
    registry.listen(0, '127.0.0.1');
    await once(registry, 'listening');
    const { port } = registry.address() as AddressInfo;
    const env = {
      npm_config_registry: `http://127.0.0.1:${port}/`,
      npm_config_cache: folder.path,
      npm_config_loglevel: 'notice',
    };
    const problem = await problemOf('npx', ['-y', '@acme/no-such-server'], { env });
    registry.close();
    expect(problem.sentence).toBe('npm has no package @acme/no-such-server.');
    expect(problem.cause).toEqual({ code: 'package_not_found', subject: '@acme/no-such-server' });
    expect(problem.evidence.find(({ label }) => label === 'last stderr lines')?.value).toContain('E404');
  });

  it.runIf(hasNpx)('of npx, for a registry that cannot be reached', async () => {
    await using folder = await tempDir();
    const env = {
      npm_config_registry: 'http://127.0.0.1:9/',
      npm_config_cache: folder.path,
      npm_config_fetch_retries: '0',
      npm_config_loglevel: 'notice',
    };
    const problem = await problemOf('npx', ['-y', '@acme/no-such-server'], { env });
    expect(problem.cause).toEqual({ code: 'registry_unreachable', subject: '127.0.0.1:9' });
  });

  it('of Node.js, for a script that does not exist', async () => {
    const file = resolve('/srv/acme/server.js');
    const problem = await problemOf(process.execPath, [file]);
    expect(problem.sentence).toBe(`${file} does not exist.`);
    expect(problem.cause).toEqual({ code: 'file_missing', subject: file });
  });

  it('of Node.js, for a package that is not installed', async () => {
    const problem = await scriptProblem('server.mjs', "import 'acme-sdk-that-is-not-there';");
    expect(problem.cause).toEqual({ code: 'module_missing', subject: 'acme-sdk-that-is-not-there' });
  });

  it('of Node.js, for a file with a syntax error', async () => {
    const problem = await scriptProblem('server.cjs', 'const a = ;');
    expect(problem.sentence).toMatch(/server\.cjs has a syntax error: Unexpected token ';'\.$/);
  });

  it('of Node.js, for a missing variable', async () => {
    const problem = await node("throw new Error('ACME_API_KEY environment variable is required')");
    expect(problem.sentence).toBe('The server needs ACME_API_KEY.');
    expect(problem.cause).toEqual({ code: 'variable_missing', subject: 'ACME_API_KEY' });
  });

  it('of Node.js, for a port that is in use', async () => {
    const other = createTcpServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const problem = await node(`require('node:net').createServer().listen(${port}, '127.0.0.1')`);
    other.close();
    expect(problem.sentence).toBe(`Port ${port} is in use by another program.`);
  });

  it('of Node.js, for a service that is not running', async () => {
    const problem = await node("require('node:net').connect(1, '127.0.0.1')");
    expect(problem.cause).toEqual({ code: 'connection_refused', subject: '127.0.0.1:1' });
  });

  it('of a program that prints its help and quits', async () => {
    const problem = await node("console.log('Usage: acme-server FOLDER')");
    expect(problem.cause?.code).toBe('printed_help');
  });

  it.runIf(process.platform !== 'win32')(
    'of programs that print their help and exit before any request',
    async () => {
      await using h = harness();
      const keys = Array.from({ length: 24 }, (_, index) => `s${index}`);
      const target = { command: '/bin/sh', args: ['-c', 'echo "Usage: acme-server FOLDER"; exit 1'] };
      h.supervisor.apply(keys.map((key) => order(key, 'echo', { restart: 'never', target })));
      const problems = await Promise.all(keys.map(async (key) => (await h.until(key, 'error')).problem));
      expect(problems.map(({ cause }) => cause?.code)).toEqual(keys.map(() => 'printed_help'));
    },
  );

  it('of a program that was killed', async () => {
    const problem = await node("process.kill(process.pid, 'SIGKILL')");
    expect(problem.cause?.code).toBe(process.platform === 'win32' ? undefined : 'killed');
  });

  it.runIf(hasPython)('of Python, for a module that is not installed', async () => {
    const problem = await problemOf('python3', ['-c', 'import acme_sdk_that_is_not_there']);
    expect(problem.cause).toEqual({ code: 'module_missing', subject: 'acme_sdk_that_is_not_there' });
  });

  it.runIf(hasPython)('of Python, for a script that does not exist', async () => {
    const problem = await problemOf('python3', ['/srv/acme/server.py']);
    expect(problem.cause).toEqual({ code: 'file_missing', subject: '/srv/acme/server.py' });
  });

  it.runIf(hasPython)('of Python, for a missing variable', async () => {
    const problem = await problemOf('python3', ['-c', "import os; os.environ['ACME_API_KEY']"]);
    expect(problem.cause).toEqual({ code: 'variable_missing', subject: 'ACME_API_KEY' });
  });

  it.runIf(hasPython)('of Python, for an error of the server itself', async () => {
    const problem = await problemOf('python3', ['-c', "raise ValueError('no plants today')"]);
    expect(problem.sentence).toBe('The server stopped with an error: no plants today.');
  });

  it.runIf(hasPython)('of Python, for a file with a syntax error', async () => {
    const problem = await scriptProblem('server.py', 'def f(:', 'python3');
    expect(problem.sentence).toMatch(/server\.py has a syntax error: invalid syntax\.$/);
  });
});
