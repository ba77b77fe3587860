import { describe, expect, it } from 'vitest';
import type { ChildFacts } from '../../../../../../electron/engine/servers/lifecycle/diagnosis/child-facts.ts';
import {
  diagnose,
  type Moment,
} from '../../../../../../electron/engine/servers/lifecycle/diagnosis/diagnose.ts';

function reason(stderr: string, more: Partial<ChildFacts> = {}, moment: Moment = 'start') {
  const facts = { command: 'server', stderr: stderr.split('\n'), stdout: [], ...more };
  const found = diagnose(facts, moment);
  return found && { code: found.code, subject: found.subject, sentence: found.sentence };
}

function codeAndSubject(stderr: string, more: Partial<ChildFacts> = {}, moment: Moment = 'start') {
  const found = reason(stderr, more, moment);
  return [found?.code, found?.subject];
}

describe('packages', () => {
  it.each([
    [
      `npm error code E404
npm error 404 Not Found - GET https://registry.example/@acme%2fmcp-server-thing
npm error 404
npm error 404  The requested resource '@acme/mcp-server-thing@*' could not be found or you do not have permission to access it.`,
      'npm has no package @acme/mcp-server-thing.',
    ],
    [
      `npm ERR! code E404
npm ERR! 404 Not Found - GET https://registry.example/mcp-nothing - Not found
npm ERR! 404  'mcp-nothing@latest' is not in this registry.`,
      'npm has no package mcp-nothing.',
    ],
    [
      `npm error code ETARGET
npm error notarget No matching version found for semver@99.99.99.`,
      'npm has no version semver@99.99.99.',
    ],
    ['npm error code E401\nnpm error Unable to authenticate', 'The npm registry refused access (E401).'],
    [
      `npm error code ENOTFOUND
npm error network request to https://registry.example/foo failed, reason: getaddrinfo ENOTFOUND registry.example`,
      'registry.example cannot be reached, so the package was not downloaded. Are you online?',
    ],
    ['npm error code ENOTEMPTY\nnpm error syscall rename', "npm's cache is damaged (ENOTEMPTY)."],
    [
      'npm error code EACCES\nnpm error syscall mkdir\nnpm error path /home/ada/.npm/_cacache',
      'npm is not allowed to write to /home/ada/.npm/_cacache.',
    ],
    [
      'npm error could not determine executable to run',
      'The package lodash has no program that npx can start.',
    ],
    [
      `  × No solution found when resolving tool dependencies:
  ╰─▶ Because mcp-nothing was not found in the package registry and you require
      mcp-nothing, we can conclude that your requirements are unsatisfiable.`,
      'PyPI has no package mcp-nothing.',
    ],
    [
      `  × No solution found when resolving tool dependencies:
  ╰─▶ Because there is no version of mcp-real==99 and you require mcp-real==99, we can
      conclude that your requirements are unsatisfiable.`,
      'PyPI has no version mcp-real==99.',
    ],
    [
      'error: Failed to fetch: `https://pypi.example/simple/mcp-thing/`\n  Caused by: dns error',
      'pypi.example cannot be reached, so the package was not downloaded. Are you online?',
    ],
    [
      'An executable named `mcp-run` is not provided by package `mcp-real`.',
      'The package mcp-real has no program called mcp-run.',
    ],
    [
      'error: Git executable not found. Ensure that Git is installed and available.',
      'Git is not installed, or not on the PATH.',
    ],
    ['ERROR: No matching distribution found for mcp-nothing', 'PyPI has no package mcp-nothing.'],
    ['error: GET https://registry.example/@acme%2fthing - 404', 'npm has no package @acme/thing.'],
  ])('that cannot be fetched are named: %s', (stderr, sentence) => {
    expect(reason(stderr, { args: ['-y', 'lodash'] })?.sentence).toBe(sentence);
  });
});

describe('a variable that is missing', () => {
  it.each([
    'ACME_API_KEY environment variable is required',
    'Error: ACME_API_KEY environment variable is required',
    'Error: Missing ACME_API_KEY',
    'ACME_API_KEY is not set. Please set it and start again.',
    'Please set the ACME_API_KEY environment variable',
    'Please provide ACME_API_KEY',
    'fatal: ACME_API_KEY must be set',
    'You need to define ACME_API_KEY in your environment',
    'ValueError: ACME_API_KEY not found in environment variables',
    "KeyError: 'ACME_API_KEY'",
    'required key ACME_API_KEY missing value',
    'run.sh: line 3: ACME_API_KEY: unbound variable',
    'in `fetch\': key not found: "ACME_API_KEY" (KeyError)',
    'Missing required environment variables: ACME_API_KEY',
    'No key found. Set ACME_API_KEY and try again',
    'Run: export ACME_API_KEY=your-key',
    'Expected ACME_API_KEY to be set',
    "ACME_API_KEY isn't set",
    'ACME_API_KEY has not been configured',
    'Did you forget to set ACME_API_KEY?',
    'Missing environment variables:\n  ACME_API_KEY: (required)\n',
    "❌ Invalid environment variables: {\n  ACME_API_KEY: [ 'Required' ]\n}",
    `ZodError: [
  {
    "code": "invalid_type",
    "expected": "string",
    "received": "undefined",
    "path": [
      "ACME_API_KEY"
    ],
    "message": "Required"
  }
]`,
    `pydantic_core._pydantic_core.ValidationError: 1 validation error for Settings
acme_api_key
  Field required [type=missing, input_value={}, input_type=dict]`,
    "Could not resolve placeholder 'ACME_API_KEY' in value",
    `/srv/index.js:1
throw new Error('ACME_API_KEY environment variable is required');
^

Error: ACME_API_KEY environment variable is required
    at Object.<anonymous> (/srv/index.js:1:7)

Node.js v20.20.2`,
  ])('is named by %s', (stderr) => {
    expect(reason(stderr)).toEqual({
      code: 'variable_missing',
      subject: 'ACME_API_KEY',
      sentence: 'The server needs ACME_API_KEY.',
    });
  });

  it('is named with the others', () => {
    expect(reason('Missing required environment variables: ACME_URL, ACME_API_KEY')?.sentence).toBe(
      'The server needs ACME_URL and ACME_API_KEY.',
    );
  });

  it('is not one with a default, or one that only looks like a variable', () => {
    const error = 'Error: the table of plants is empty';
    expect(codeAndSubject(`LOG_LEVEL is not set, using the default\n${error}`)[0]).toBe('own_error');
    expect(codeAndSubject(`ERR_BAD_PLANTS: missing plants`)[0]).toBe('own_error');
  });

  it('without a name is a missing key', () => {
    expect(reason('Error: Missing API key')?.sentence).toBe('The server needs an API key.');
    expect(reason('An access token is required to start')?.sentence).toBe(
      'The server needs an access token.',
    );
  });
});

describe('arguments', () => {
  it.each([
    [
      'usage: server.py [-h] --token TOKEN\nserver.py: error: the following arguments are required: --token',
      ['argument_missing', '--token'],
    ],
    ["error: required option '--api-key <key>' not specified", ['argument_missing', '--api-key <key>']],
    ["error: missing required argument 'folder'", ['argument_missing', 'folder']],
    ["Error: Missing option '--token'.", ['argument_missing', '--token']],
    ['error: Missing --api-key', ['argument_missing', '--api-key']],
    ['Error: --api-key is required', ['argument_missing', '--api-key']],
    ['Please provide a database URL as a command-line argument', ['argument_missing', 'database URL']],
    [
      'NotCapable: Requires net access to "a.example:443", run again with the --allow-net flag',
      ['argument_missing', '--allow-net'],
    ],
    ["error: unknown option '--stdio'", ['argument_unknown', '--stdio']],
    ['server.py: error: unrecognized arguments: --stdio', ['argument_unknown', '--stdio']],
    ["error: unexpected argument '--stdio' found", ['argument_unknown', '--stdio']],
    ['flag provided but not defined: -stdio', ['argument_unknown', '-stdio']],
    [
      'Usage: acme-server [options] <folder>\n\nOptions:\n  -h, --help  shows this',
      ['printed_help', undefined],
    ],
  ])('that are wrong are explained: %s', (stderr, expected) => {
    expect(codeAndSubject(stderr)).toEqual(expected);
  });

  it('are missing if a program prints its help on stdout and exits with 0', () => {
    const more = { stdout: ['Usage: acme-server FOLDER'], exit: { code: 0, signal: null } };
    expect(codeAndSubject('', more)[0]).toBe('printed_help');
  });
});

describe('programs and files', () => {
  it('with long paths are shown by their end', () => {
    expect(reason("Error: Cannot find module '/home/ada/servers/plants/dist/server.js'")?.sentence).toBe(
      '…/dist/server.js does not exist.',
    );
  });

  // Skipped on Windows: their paths are POSIX paths.
  it.skipIf(process.platform === 'win32').each([
    ['sh: 1: mcp-thing: not found', ['program_missing', 'mcp-thing']],
    ['bash: line 1: uvx: command not found', ['program_missing', 'uvx']],
    ['zsh:1: command not found: bunx', ['program_missing', 'bunx']],
    ['env: ‘node’: No such file or directory', ['program_missing', 'node']],
    ['Error: spawn uvx ENOENT', ['program_missing', 'uvx']],
    ['Error: spawn /srv/acme/run ENOENT', ['path_missing', '/srv/acme/run']],
    ['/bin/sh: 1: /srv/acme/run.sh: not found', ['path_missing', '/srv/acme/run.sh']],
    ['java.lang.UnsupportedClassVersionError: acme has been compiled', ['program_outdated', 'java']],
    ["'deno' is not recognized as an internal or external command,", ['program_missing', 'deno']],
    ["Error: Cannot find module '/srv/acme/server.js'", ['file_missing', '/srv/acme/server.js']],
    ["Error: Cannot find module '/srv/other.js'", ['path_missing', '/srv/other.js']],
    [
      "Error: Cannot find module 'express'\nRequire stack:\n- /srv/acme/server.js",
      ['module_missing', 'express'],
    ],
    [
      "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod' imported from /srv/acme/server.js",
      ['module_missing', 'zod'],
    ],
    [
      "python3: can't open file '/srv/acme/server.js': [Errno 2] No such file or directory",
      ['file_missing', '/srv/acme/server.js'],
    ],
    ['error: Module not found "file:///srv/acme/server.js".', ['file_missing', '/srv/acme/server.js']],
    ["ModuleNotFoundError: No module named 'mcp'", ['module_missing', 'mcp']],
    ['/usr/bin/python3: No module named acme_server', ['module_missing', 'acme_server']],
    ["SyntaxError: Unexpected token '??='\n\nNode.js v14.21.3", ['program_outdated', 'node']],
    ['ReferenceError: File is not defined\n\nNode.js v18.20.1', ['program_outdated', 'node']],
    ['node: bad option: --experimental-strip-types', ['program_outdated', 'node']],
    [
      "/srv/acme/server.js:1\nconst a = ;\n\nSyntaxError: Unexpected token ';'",
      ['syntax_error', '/srv/acme/server.js'],
    ],
    [
      '  File "/srv/acme/server.py", line 1\n    def f(:\n          ^\nSyntaxError: invalid syntax',
      ['syntax_error', '/srv/acme/server.py'],
    ],
    ['sh: 1: /srv/acme/run: Permission denied', ['not_executable', '/srv/acme/run']],
  ])('that are missing or unusable are explained: %s', (stderr, expected) => {
    expect(codeAndSubject(stderr, { args: ['server.js'], cwd: '/srv/acme' })).toEqual(expected);
  });

  it.each([
    [
      'docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?.',
      ['docker_not_running', 'docker'],
    ],
    [
      'docker: permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock',
      ['docker_denied', undefined],
    ],
    [
      "Unable to find image 'acme/mcp:latest' locally\ndocker: Error response from daemon: pull access denied for acme/mcp, repository does not exist or may require 'docker login'",
      ['image_not_found', 'acme/mcp'],
    ],
    [
      'docker: Error response from daemon: manifest for acme/mcp:9 not found: manifest unknown',
      ['image_not_found', 'acme/mcp:9'],
    ],
    ['docker: invalid reference format.', ['image_not_found', undefined]],
    [
      'docker: Error response from daemon: invalid mount config for type "bind": bind source path does not exist: /srv/no',
      ['path_missing', '/srv/no'],
    ],
    [
      'error during connect: Get "http://...": open //./pipe/docker_engine: The system cannot find the file specified.',
      ['docker_not_running', 'docker'],
    ],
    [
      'docker: Error response from daemon: Conflict. The container name "/acme" is already in use by container "a1".',
      ['container_name_taken', 'acme'],
    ],
    ['the input device is not a TTY', ['argument_unknown', '-t']],
    [
      "the input device is not a TTY.  If you are using mintty, try prefixing the command with 'winpty'",
      ['argument_unknown', '-t'],
    ],
    ['time="2026-01-01" level=fatal msg="provided file is not a console"', ['argument_unknown', '-t']],
    [
      'time="2026-01-01" level=warning msg="The input device is not a TTY. The --tty and --interactive flags might not work properly"\nError: initializing source docker://acme/mcp:9: manifest unknown',
      ['image_not_found', 'acme/mcp:9'],
    ],
  ])('of containers are explained: %s', (stderr, expected) => {
    expect(codeAndSubject(stderr)).toEqual(expected);
  });

  it.each([
    ['docker run --rm acme', 'Add -i after "run" in the arguments.'],
    ['/opt/bin/podman run acme -i', 'Add -i after "run" in the arguments.'],
    ['docker run --name -i acme', 'Add -i after "run" in the arguments.'],
    ['docker run -e A=-i --interactive=false acme', 'Add -i after "run" in the arguments.'],
    ['docker exec box server', 'Add -i after "exec" in the arguments.'],
    ['sudo -n docker container run -t acme', 'Replace -t with -i in the arguments.'],
    ['docker run -di acme', 'Replace -d with -i in the arguments.'],
    ['docker run --detach acme', 'Replace -d with -i in the arguments.'],
    ['docker run -i --rm acme', undefined],
    ['docker run --rm --interactive acme', undefined],
    ['podman run -qi -e A=B acme', undefined],
    ['docker exec -i box server', undefined],
    ['docker compose run acme', undefined],
    ['node run.js', undefined],
  ])('of a container without input, which exits with 0: %s', (line, fix) => {
    const [command = '', ...args] = line.split(' ');
    const facts = { command, args, stderr: [], stdout: [] };
    expect(diagnose({ ...facts, exit: { code: 0, signal: null } }, 'start')?.fix).toBe(fix);
    expect(diagnose({ ...facts, exit: { code: 1, signal: null } }, 'start')).toBeUndefined();
  });
});

describe('the machine and the network', () => {
  it.each([
    ['Error: listen EADDRINUSE: address already in use 127.0.0.1:3000', ['port_in_use', '3000']],
    ['Error: listen EADDRINUSE: address already in use :::3000', ['port_in_use', '3000']],
    [
      "OSError: [Errno 98] error while attempting to bind on address ('127.0.0.1', 8000): address already in use",
      ['port_in_use', '8000'],
    ],
    ['OSError: [Errno 98] Address already in use', ['port_in_use', undefined]],
    ['listen tcp :8080: bind: address already in use', ['port_in_use', '8080']],
    [
      'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
      ['out_of_memory', undefined],
    ],
    ["Error: EACCES: permission denied, open '/var/acme.db'", ['permission_denied', '/var/acme.db']],
    ["PermissionError: [Errno 13] Permission denied: '/var/acme.db'", ['permission_denied', '/var/acme.db']],
    ['Error: self-signed certificate in certificate chain', ['certificate', undefined]],
    [
      'ssl.SSLCertVerificationError: [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed',
      ['certificate', undefined],
    ],
    ['Error: getaddrinfo ENOTFOUND db.example', ['host_not_found', 'db.example']],
    [
      'could not translate host name "db.example" to address: Name or service not known',
      ['host_not_found', 'db.example'],
    ],
    ['Error: connect ECONNREFUSED 127.0.0.1:5432', ['connection_refused', '127.0.0.1:5432']],
    [
      'connection to server at "localhost" (127.0.0.1), port 5432 failed: Connection refused',
      ['connection_refused', 'localhost:5432'],
    ],
  ])('are explained: %s', (stderr, expected) => {
    expect(codeAndSubject(stderr)).toEqual(expected);
  });

  it('killed a program', () => {
    expect(codeAndSubject('', { exit: { code: null, signal: 'SIGKILL' } }, 'use')[0]).toBe('killed');
  });
});

describe('a program that waits and sends no MCP message', () => {
  it.each([
    ['Server listening on http://localhost:3000', ['web_server', 'http://localhost:3000']],
    [
      'INFO:     Uvicorn running on http://127.0.0.1:8000 (Press CTRL+C to quit)',
      ['web_server', 'http://127.0.0.1:8000'],
    ],
    ['Listening on port 8080', ['web_server', 'http://localhost:8080']],
    ['Need to install the following packages:\nacme@1.0.0\nOk to proceed? (y) ', ['asks_question', '-y']],
    ['Enter your password: ', ['asks_question', undefined]],
  ])('is explained by its output: %s', (stderr, expected) => {
    expect(codeAndSubject(stderr, {}, 'waiting')).toEqual(expected);
  });
});

describe('an error of its own', () => {
  it.each([
    [
      'Traceback (most recent call last):\n  File "/srv/a.py", line 3, in <module>\nacme.PlantError: no plants today',
      'The server stopped with an error: no plants today.',
    ],
    [
      'TypeError: plants.map is not a function',
      'The server stopped with an error: plants.map is not a function.',
    ],
    [
      "thread 'main' panicked at src/main.rs:5:10:\nno plants today\nnote: run with `RUST_BACKTRACE=1`",
      'The server stopped with an error: no plants today.',
    ],
    ['fatal: no plants today', 'The server stopped with an error: no plants today.'],
    ['no plants today', 'The server quit right after starting. Last output: no plants today.'],
  ])("is the server's own message: %s", (stderr, sentence) => {
    expect(reason(stderr, { exit: { code: 1, signal: null } })?.sentence).toBe(sentence);
  });

  it('is none if a program prints nothing, or exits with 0', () => {
    expect(reason('')).toBeUndefined();
    expect(reason('bye', { exit: { code: 0, signal: null } })).toBeUndefined();
  });

  it('loses colours and has a bounded length', () => {
    const sentence = reason(`\u001b[31mError: ${'plant '.repeat(500)}\u001b[0m`)?.sentence ?? '';
    expect(sentence.length).toBeLessThan(250);
    expect(sentence).not.toContain('\u001b');
  });
});
