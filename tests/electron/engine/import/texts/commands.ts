// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import { reaches, row, runs, type TextRow } from './row.ts';

const kite = (more: object = {}) => runs('kite-mcp', 'npx', ['-y', 'kite-mcp'], more);
const kiteNamed = (more: object = {}) => runs('kite', 'npx', ['-y', 'kite-mcp'], more);
const pond = (more: object = {}) => reaches('pond', 'https://pond.example.com/mcp', more);
const key = { env: { KITE_MODE: 'fast' } };

export const commandRows: readonly TextRow[] = [
  row('npx', 'npx -y kite-mcp', { servers: kite() }),
  row('npx without -y', 'npx kite-mcp@latest --stdio', {
    servers: runs('kite-mcp', 'npx', ['kite-mcp@latest', '--stdio']),
  }),
  row(
    'a package that is asked for its config',
    'npx -y kite-mcp --init-config\nnpx -y kite-mcp --config kite.yaml',
    {
      servers: runs('kite-mcp', 'npx', ['-y', 'kite-mcp', '--config', 'kite.yaml']),
    },
  ),
  row('a package that lists its tools', 'npx -y kite-mcp --list-tools', { none: 'prepares something' }),
  row(
    'an image that signs in',
    'docker run -it --rm \\\n  -v ~/.kite:/data \\\n  acme/kite-mcp \\\n  --login --viewer',
    {
      none: 'prepares something',
    },
  ),
  row('an option of that name with a value', 'npx -y kite-mcp --login ann --fast', {
    servers: runs('kite-mcp', 'npx', ['-y', 'kite-mcp', '--login', 'ann', '--fast']),
  }),
  row('a package that takes itself away', 'npx @acme/kite-mcp@latest remove', { none: 'sets something up' }),
  row(
    'the help of a program of a package',
    'uvx --from git+https://git.example.com/acme/wind wind-mcp --help',
    {
      none: 'prepares something',
    },
  ),
  row('a manual of a command', 'npx -y kite-mcp [--read-only] [stdio|http] --region eu [options]', {
    servers: runs('kite-mcp', 'npx', ['-y', 'kite-mcp', '--region', 'eu']),
  }),
  row('lists in brackets', 'npx -y kite-mcp --tools [a,b] --tags ["c"] --only "[d|e]"', {
    servers: runs('kite-mcp', 'npx', [
      '-y',
      'kite-mcp',
      '--tools',
      '[a,b]',
      '--tags',
      '[c]',
      '--only',
      '[d|e]',
    ]),
  }),
  row('a choice between angle brackets', 'npx -y kite-mcp --mode <fast|safe> --region eu', {
    servers: runs('kite-mcp', 'npx', ['-y', 'kite-mcp', '--mode', 'typed', '--region', 'eu']),
    asks: ['fast|safe'],
  }),
  row('a key whose parts are masked', 'KITE_API_KEY=kat.xxx.xxx.xxx npx -y kite-mcp', {
    servers: kite({ env: { KITE_API_KEY: '${secret:KITE_API_KEY}' } }),
    asks: ['KITE_API_KEY'],
  }),
  row('a gateway with the servers it offers', 'docker mcp gateway run --servers kite,wind', {
    servers: runs('mcp-gateway-run', 'docker', ['mcp', 'gateway', 'run', '--servers', 'kite,wind']),
  }),
  row('npx with its package by option', 'npx -y --package=@acme/tools kite-mcp', {
    servers: runs('tools', 'npx', ['-y', '--package=@acme/tools', 'kite-mcp']),
  }),
  row('npm exec', 'npm exec -y kite-mcp', { servers: runs('kite-mcp', 'npm', ['exec', '-y', 'kite-mcp']) }),
  row('bunx', 'bunx kite-mcp', { servers: runs('kite-mcp', 'bunx', ['kite-mcp']) }),
  row('pnpm dlx', 'pnpm dlx kite-mcp --port 3', {
    servers: runs('kite-mcp', 'pnpm', ['dlx', 'kite-mcp', '--port', '3']),
  }),
  row('yarn dlx', 'yarn dlx kite-mcp', { servers: runs('kite-mcp', 'yarn', ['dlx', 'kite-mcp']) }),
  row('deno run', 'deno run -A jsr:@acme/kite-mcp', {
    servers: runs('kite-mcp', 'deno', ['run', '-A', 'jsr:@acme/kite-mcp']),
  }),
  row('uvx', 'uvx mcp-server-wind', { servers: runs('mcp-server-wind', 'uvx', ['mcp-server-wind']) }),
  row('uvx --from', 'uvx --from git+https://git.example.com/acme/wind wind-mcp', {
    servers: runs('wind-mcp', 'uvx', ['--from', 'git+https://git.example.com/acme/wind', 'wind-mcp']),
  }),
  row('uv run', 'uv run --with wind-mcp wind-mcp', {
    servers: runs('wind-mcp', 'uv', ['run', '--with', 'wind-mcp', 'wind-mcp']),
  }),
  row('uv --directory', 'uv --directory /srv/wind run server.py', {
    servers: runs('server', 'uv', ['--directory', '/srv/wind', 'run', 'server.py']),
  }),
  row('pipx run', 'pipx run wind-mcp', { servers: runs('wind-mcp', 'pipx', ['run', 'wind-mcp']) }),
  row('python -m', 'python -m wind_mcp.server', {
    servers: runs('wind_mcp-server', 'python', ['-m', 'wind_mcp.server']),
  }),
  row('python with a file', 'python3 /srv/wind/server.py --stdio', {
    servers: runs('wind', 'python3', ['/srv/wind/server.py', '--stdio']),
  }),
  row(
    'folders with spaces',
    String.raw`"C:\Program Files\mcp tools\node.exe" "C:\Users\Jo Ann\kite\dist\index.js"`,
    {
      servers: runs('kite', String.raw`C:\Program Files\mcp tools\node.exe`, [
        String.raw`C:\Users\Jo Ann\kite\dist\index.js`,
      ]),
    },
  ),
  row('node', 'node /srv/kite/dist/index.js', { servers: runs('kite', 'node', ['/srv/kite/dist/index.js']) }),
  row('docker run', 'docker run -i --rm -e KITE_TOKEN ghcr.io/acme/kite-mcp:1', {
    servers: runs('kite-mcp', 'docker', ['run', '-i', '--rm', '-e', 'KITE_TOKEN', 'ghcr.io/acme/kite-mcp:1']),
  }),
  row('podman run', 'podman run -i --rm acme/kite-mcp', {
    servers: runs('kite-mcp', 'podman', ['run', '-i', '--rm', 'acme/kite-mcp']),
  }),
  row('a program by its path', '/usr/local/bin/kite-mcp --stdio', {
    servers: runs('kite-mcp', '/usr/local/bin/kite-mcp', ['--stdio']),
  }),
  row('a program by its name', 'kite-mcp-server stdio', {
    servers: runs('kite-mcp-server', 'kite-mcp-server', ['stdio']),
  }),
  row('a Windows path', 'C:\\tools\\kite-mcp.exe --stdio', {
    servers: runs('kite-mcp', 'C:\\tools\\kite-mcp.exe', ['--stdio']),
  }),
  row('java -jar', 'java -jar /opt/kite-mcp.jar', {
    servers: runs('kite-mcp', 'java', ['-jar', '/opt/kite-mcp.jar']),
  }),
  row('go run', 'go run example.com/acme/kite-mcp@latest', {
    servers: runs('kite-mcp', 'go', ['run', 'example.com/acme/kite-mcp@latest']),
  }),
  row('a dollar prompt', '$ npx -y kite-mcp', { servers: kite() }),
  row('an angle prompt', '> npx -y kite-mcp', { servers: kite() }),
  row('a PowerShell prompt', 'PS C:\\Users\\ann> npx -y kite-mcp', { servers: kite() }),
  row('a cmd prompt', 'C:\\Users\\ann>npx -y kite-mcp', { servers: kite() }),
  row('a prompt with user and host', 'ann@box:~/src$ npx -y kite-mcp', { servers: kite() }),
  row('cmd /c', 'cmd /c npx -y kite-mcp', { servers: kite() }),
  row('powershell -Command', 'powershell -Command "npx -y kite-mcp"', { servers: kite() }),
  row('bash -c', "bash -c 'npx -y kite-mcp'", { servers: kite() }),
  row('export before', 'export KITE_MODE=fast\nnpx -y kite-mcp', { servers: kite(key) }),
  row('export and command in a line', 'export KITE_MODE="fast" && npx -y kite-mcp', { servers: kite(key) }),
  row('set', 'set KITE_MODE=fast\nnpx -y kite-mcp', { servers: kite(key) }),
  row('$env:', '$env:KITE_MODE = "fast"\nnpx -y kite-mcp', { servers: kite(key) }),
  row('$env: in a line', "$env:KITE_MODE='fast'; npx -y kite-mcp", { servers: kite(key) }),
  row('a variable before', 'KITE_MODE=fast npx -y kite-mcp', { servers: kite(key) }),
  row('env', 'env KITE_MODE=fast npx -y kite-mcp', { servers: kite(key) }),
  row('cross-env', 'cross-env KITE_MODE=fast npx -y kite-mcp', { servers: kite(key) }),
  row('sudo', 'sudo npx -y kite-mcp', { servers: kite() }),
  row('a folder first', 'cd /srv/kite && node dist/index.js', {
    servers: runs('kite', 'node', ['dist/index.js'], { cwd: '/srv/kite' }),
  }),
  row('a line that goes on', 'npx -y \\\n  kite-mcp \\\n  --port 3', {
    servers: runs('kite-mcp', 'npx', ['-y', 'kite-mcp', '--port', '3']),
  }),
  row('a line that goes on in cmd', 'npx -y ^\n  kite-mcp', { servers: kite() }),
  row('a line that goes on in PowerShell', 'npx -y `\n  kite-mcp', { servers: kite() }),
  row('a caret in a version', 'npx -y kite-mcp@^1.2.0', {
    servers: runs('kite-mcp', 'npx', ['-y', 'kite-mcp@^1.2.0']),
  }),
  row('curly quotes', 'npx -y kite-mcp --title “two words”', {
    servers: runs('kite-mcp', 'npx', ['-y', 'kite-mcp', '--title', 'two words']),
  }),
  row('blanks that do not break', 'npx\u00A0-y\u00A0kite-mcp', { servers: kite() }),
  row('invisible characters', '\u200Bnpx -y kite\u200B-mcp\uFEFF', { servers: kite() }),
  row('dashes of a word processor', 'npx –y kite-mcp —port 3', {
    servers: runs('kite-mcp', 'npx', ['-y', 'kite-mcp', '--port', '3']),
  }),
  row('Windows line ends', 'export KITE_MODE=fast\r\nnpx -y kite-mcp\r\n', { servers: kite(key) }),
  row('a comment after', 'npx -y kite-mcp # starts it', { servers: kite() }),
  row('a comment before', '# starts it\nnpx -y kite-mcp', { servers: kite() }),
  row('output to a file', 'npx -y kite-mcp 2>/tmp/log', { servers: kite() }),
  row('in a fence', 'Start it:\n```sh\n$ npx -y kite-mcp\n```\nThen look.', { servers: kite() }),
  row('in backticks', 'Start it with `npx -y kite-mcp` and look.', { servers: kite() }),
  row('after an installation', 'npm install\nnpx -y kite-mcp', { servers: kite() }),
  row('two at once', 'npx -y kite-mcp\nuvx wind-mcp', {
    servers: { ...kite(), ...runs('wind-mcp', 'uvx', ['wind-mcp']) },
  }),
  row('two that are one', 'npx -y kite-mcp\n\nnpx -y kite-mcp', { servers: kite() }),
  row('an option with a placeholder', 'npx -y kite-mcp --api-key YOUR_API_KEY', {
    servers: runs('kite-mcp', 'npx', ['-y', 'kite-mcp', '--api-key', '${secret:API_KEY}']),
    asks: ['API_KEY'],
  }),
  // Client commands.
  row('claude mcp add', 'claude mcp add kite -- npx -y kite-mcp', { servers: kiteNamed() }),
  row('claude mcp add without dashes', 'claude mcp add kite npx -y kite-mcp', { servers: kiteNamed() }),
  row(
    'claude mcp add with a scope and a variable',
    'claude mcp add -s user -e KITE_MODE=fast kite -- npx -y kite-mcp',
    { servers: kiteNamed(key) },
  ),
  row(
    'claude mcp add with options after the name',
    'claude mcp add kite --scope project --env KITE_MODE=fast -- npx -y kite-mcp',
    { servers: kiteNamed(key) },
  ),
  row(
    'claude mcp add with two variables',
    'claude mcp add kite -e KITE_MODE=fast -e B=2 -- npx -y kite-mcp',
    { servers: kiteNamed({ env: { KITE_MODE: 'fast', B: '2' } }) },
  ),
  row('claude mcp add for Windows', 'claude mcp add kite -- cmd /c npx -y kite-mcp', {
    servers: kiteNamed(),
  }),
  row('claude mcp add, http', 'claude mcp add --transport http pond https://pond.example.com/mcp', {
    servers: pond({ type: 'http' }),
  }),
  row('claude mcp add, sse', 'claude mcp add -t sse pond https://pond.example.com/mcp', {
    servers: pond({ type: 'sse' }),
  }),
  row(
    'claude mcp add with a header',
    'claude mcp add --transport http pond https://pond.example.com/mcp --header "Authorization: Bearer YOUR_TOKEN"',
    {
      servers: pond({ type: 'http', headers: { Authorization: 'Bearer ${secret:POND_TOKEN}' } }),
      asks: ['pond TOKEN'],
    },
  ),
  row(
    'claude mcp add with a variable of the shell',
    'claude mcp add pond -t http -H "X-Key: $SET" https://pond.example.com/mcp',
    { servers: pond({ type: 'http', headers: { 'X-Key': '$SET' } }) },
  ),
  row(
    'claude mcp add over lines',
    'claude mcp add kite \\\n  --env KITE_MODE=fast \\\n  -- npx -y kite-mcp',
    { servers: kiteNamed(key) },
  ),
  row(
    'claude mcp add-json',
    `claude mcp add-json kite '{"type":"stdio","command":"npx","args":["-y","kite-mcp"]}'`,
    { servers: kiteNamed({ type: 'stdio' }) },
  ),
  row(
    'claude mcp add-json with a scope',
    `claude mcp add-json -s user kite '{"command":"npx","args":["-y","kite-mcp"]}'`,
    { servers: kiteNamed() },
  ),
  row(
    'claude mcp add-json, scope last',
    `claude mcp add-json kite '{"command":"npx","args":["-y","kite-mcp"]}' --scope user`,
    { servers: kiteNamed() },
  ),
  row(
    'claude mcp add-json over lines',
    `claude mcp add-json kite '{\n  "command": "npx",\n  "args": ["-y", "kite-mcp"]\n}'`,
    { servers: kiteNamed() },
  ),
  row(
    'claude mcp add-json in cmd',
    'claude mcp add-json kite "{\\"command\\":\\"npx\\",\\"args\\":[\\"-y\\",\\"kite-mcp\\"]}"',
    { servers: kiteNamed() },
  ),
  row(
    'claude mcp add-json in PowerShell',
    `claude mcp add-json kite '{\\"command\\":\\"npx\\",\\"args\\":[\\"-y\\",\\"kite-mcp\\"]}'`,
    { servers: kiteNamed() },
  ),
  row('codex mcp add', 'codex mcp add kite --env KITE_MODE=fast -- npx -y kite-mcp', {
    servers: kiteNamed(key),
  }),
  row(
    'codex mcp add --url',
    'codex mcp add pond --url https://pond.example.com/mcp --bearer-token-env-var SET',
    { servers: pond({ headers: { Authorization: 'Bearer ${SET}' } }) },
  ),
  row('gemini mcp add', 'gemini mcp add -e KITE_MODE=fast --timeout 5000 --trust kite npx -y kite-mcp', {
    servers: kiteNamed({ ...key, timeout: 5000 }),
  }),
  row(
    'gemini mcp add, http',
    'gemini mcp add --transport http --header "X-A: b" pond https://pond.example.com/mcp',
    { servers: pond({ type: 'http', headers: { 'X-A': 'b' } }) },
  ),
  row('gemini mcp add with tools', 'gemini mcp add --include-tools a,b kite npx -y kite-mcp', {
    servers: kiteNamed({ patchbay: { enabledTools: ['a', 'b'] } }),
  }),
  row('qwen mcp add', 'qwen mcp add --transport sse pond https://pond.example.com/mcp', {
    servers: pond({ type: 'sse' }),
  }),
  row('amp mcp add', 'amp mcp add kite -- npx -y kite-mcp', { servers: kiteNamed() }),
  row('amp mcp add, remote', 'amp mcp add pond --header "X-A=b" https://pond.example.com/mcp', {
    servers: pond({ headers: { 'X-A': 'b' } }),
  }),
  row('droid mcp add', 'droid mcp add kite "npx -y kite-mcp" --env KITE_MODE=fast', {
    servers: kiteNamed(key),
  }),
  row(
    'droid mcp add, http',
    'droid mcp add pond https://pond.example.com/mcp --type http --header "X-A: b"',
    { servers: pond({ type: 'http', headers: { 'X-A': 'b' } }) },
  ),
  row('/mcp add', '/mcp add kite "npx -y kite-mcp"', { servers: kiteNamed() }),
  row('copilot mcp add', 'copilot mcp add kite --env KITE_MODE=fast -- npx -y kite-mcp', {
    servers: kiteNamed(key),
  }),
  row('q mcp add', 'q mcp add --name kite --command npx --args "-y,kite-mcp" --env "KITE_MODE=fast,B=2"', {
    servers: kiteNamed({ env: { KITE_MODE: 'fast', B: '2' } }),
  }),
  row('kiro-cli mcp add', 'kiro-cli mcp add --name kite --command npx --args -y --args kite-mcp', {
    servers: kiteNamed(),
  }),
  row('auggie mcp add', 'auggie mcp add kite --command npx --args "-y kite-mcp"', { servers: kiteNamed() }),
  row('kimi mcp add', 'kimi mcp add --transport http pond https://pond.example.com/mcp', {
    servers: pond({ type: 'http' }),
  }),
  row('opencode mcp add', 'opencode mcp add kite -- npx -y kite-mcp', { servers: kiteNamed() }),
  row('code --add-mcp', 'code --add-mcp \'{"name":"kite","command":"npx","args":["-y","kite-mcp"]}\'', {
    servers: kiteNamed(),
  }),
  row(
    'code --add-mcp in cmd',
    'code --add-mcp "{\\"name\\":\\"kite\\",\\"command\\":\\"npx\\",\\"args\\":[\\"-y\\",\\"kite-mcp\\"]}"',
    { servers: kiteNamed() },
  ),
  row(
    'code-insiders --add-mcp',
    'code-insiders --add-mcp \'{"name":"pond","type":"http","url":"https://pond.example.com/mcp"}\'',
    { servers: pond({ type: 'http' }) },
  ),
  row('goose session', 'goose session --with-extension "KITE_MODE=fast npx -y kite-mcp"', {
    servers: kite(key),
  }),
  row(
    'goose session, remote',
    'goose session --with-streamable-http-extension "https://pond.example.com/mcp"',
    { servers: reaches('example', 'https://pond.example.com/mcp') },
  ),
  row('fastmcp install', 'fastmcp install claude-code wind.py --with pandas --env A=b', {
    servers: runs(
      'wind',
      'uv',
      ['run', '--with', 'fastmcp', '--with', 'pandas', 'fastmcp', 'run', 'wind.py'],
      { env: { A: 'b' } },
    ),
  }),
  row('mcp install', 'uv run mcp install wind.py --name Wind', {
    servers: runs('Wind', 'uv', ['run', '--with', 'fastmcp', 'fastmcp', 'run', 'wind.py']),
  }),
  row('amid prose', 'First this:\n\n    claude mcp add kite -- npx -y kite-mcp\n\nThen restart.', {
    servers: kiteNamed(),
  }),
  row(
    'for three clients',
    '```bash\nclaude mcp add kite -- npx -y kite-mcp\n```\n```bash\ncodex mcp add kite -- npx -y kite-mcp\n```\n```json\n{"mcpServers":{"kite":{"command":"npx","args":["-y","kite-mcp"]}}}\n```',
    { servers: kiteNamed() },
  ),
  row('with curly quotes', 'claude mcp add kite -e “KITE_MODE=very fast” -- npx -y kite-mcp', {
    servers: kiteNamed({ env: { KITE_MODE: 'very fast' } }),
  }),
  row(
    'with an exported variable',
    'export KITE_MODE=fast\ncodex mcp add kite --env KITE_MODE=$KITE_MODE -- npx -y kite-mcp',
    { servers: kiteNamed({ env: { KITE_MODE: 'fast' } }) },
  ),
  // Names and addresses.
  row('a package of a scope', '@acme/server-kite', {
    servers: runs('server-kite', 'npx', ['-y', '@acme/server-kite']),
  }),
  row('a package of a scope with its version', '@acme/kite@1.2.3', {
    servers: runs('kite', 'npx', ['-y', '@acme/kite@1.2.3']),
  }),
  row('a package', 'mcp-server-kite', { servers: runs('mcp-server-kite', 'npx', ['-y', 'mcp-server-kite']) }),
  row('a package with its version', 'kite@1.2', { servers: runs('kite', 'npx', ['-y', 'kite@1.2']) }),
  row('a package in backticks', '`kite-mcp`', { servers: kite() }),
  row('a package of PyPI', 'pypi:wind-mcp', { servers: runs('wind-mcp', 'uvx', ['wind-mcp']) }),
  row('a package of PyPI by its pin', 'wind-mcp==1.2.0', {
    servers: runs('wind-mcp', 'uvx', ['wind-mcp==1.2.0']),
  }),
  row('an image', 'ghcr.io/acme/kite-mcp:latest', {
    servers: runs('kite-mcp', 'docker', ['run', '-i', '--rm', 'ghcr.io/acme/kite-mcp:latest']),
  }),
  row('an address', 'https://pond.example.com/mcp', {
    servers: reaches('example', 'https://pond.example.com/mcp'),
  }),
  row('an address that ends in sse', 'https://pond.example.com/sse', {
    servers: reaches('example', 'https://pond.example.com/sse'),
  }),
  row('an address of a host for servers', 'https://mcp.pond.example/', {
    servers: reaches('pond', 'https://mcp.pond.example/'),
  }),
  row('an address on this machine', 'http://localhost:3000', {
    servers: reaches('localhost', 'http://localhost:3000'),
  }),
  row('an address between angles', '<https://pond.example.com/mcp>', {
    servers: reaches('example', 'https://pond.example.com/mcp'),
  }),
  row('an address with its tenant', 'https://pond.example.com/api/mcp/acme', {
    servers: reaches('example', 'https://pond.example.com/api/mcp/acme'),
  }),
  row('an address in backticks', 'The server is at `https://pond.example.com/mcp`.', {
    servers: reaches('example', 'https://pond.example.com/mcp'),
  }),
  row('two addresses', 'https://pond.example.com/mcp\nhttps://lake.example.org/sse', {
    servers: {
      ...reaches('example', 'https://pond.example.com/mcp'),
      ...reaches('example-2', 'https://lake.example.org/sse'),
    },
  }),
  row('a repository', 'https://github.com/acme/kite-mcp', { none: 'GitHub' }),
  row('a folder of a repository', 'https://github.com/acme/servers/tree/main/src/mcp', { none: 'GitHub' }),
  row('a repository elsewhere', 'https://gitlab.com/acme/kite-mcp', { none: 'repository' }),
  row('a package page', 'https://www.npmjs.com/package/@acme/kite-mcp', { none: 'package' }),
  row('a package page of PyPI', 'https://pypi.org/project/wind-mcp/', { none: 'package' }),
  row('a page of Smithery', 'https://smithery.ai/server/@acme/kite', { none: 'directory' }),
  row('a page of Glama', 'https://glama.ai/mcp/servers/acme/kite', { none: 'page' }),
  row('a server of Smithery', 'https://server.smithery.ai/@acme/kite/mcp', {
    servers: reaches('smithery', 'https://server.smithery.ai/@acme/kite/mcp'),
  }),
  row('a page of documentation', 'https://docs.example.com/guides/mcp', { none: 'web page' }),
  row('a page of documentation in a path', 'https://example.com/docs/mcp-server', { none: 'web page' }),
  row('a file', 'https://example.com/mcp/README.md', { none: 'file' }),
  row('a home page', 'https://example.com', { none: 'web page' }),
  row('the name of a repository', 'acme/kite-mcp', { none: 'repository' }),
  row('pages in prose', 'See https://example.com/docs and https://github.com/acme/kite for more.', {
    none: 'not an MCP server',
  }),
  row('Smithery installs', 'npx -y @smithery/cli install @acme/kite --client claude', {
    none: '@smithery/cli',
  }),
  row('Smithery runs', 'npx -y @smithery/cli run @acme/kite', {
    servers: runs('kite', 'npx', ['-y', '@smithery/cli', 'run', '@acme/kite']),
  }),
  row('add-mcp with an address', 'npx add-mcp https://pond.example.com/mcp', {
    servers: reaches('example', 'https://pond.example.com/mcp'),
    says: 'add-mcp',
  }),
  row('add-mcp with a package', 'npx -y add-mcp @acme/kite-mcp -a cursor', {
    servers: runs('kite-mcp', 'npx', ['-y', '@acme/kite-mcp']),
    says: 'add-mcp',
  }),
  row('add-mcp with a command', 'npx add-mcp "npx -y kite-mcp" --name kite', {
    servers: kiteNamed(),
    says: 'add-mcp',
  }),
  row('install-mcp', 'npx install-mcp https://pond.example.com/mcp --client claude', {
    servers: reaches('example', 'https://pond.example.com/mcp'),
    says: 'install-mcp',
  }),
  row(
    'mcp-add',
    'npx mcp-add --name pond --type http --url "https://pond.example.com/mcp" --scope global --clients "cursor"',
    { servers: pond(), says: 'mcp-add' },
  ),
  row('mcp-get', 'npx @michaellatman/mcp-get@latest install @acme/kite-mcp', {
    servers: runs('kite-mcp', 'npx', ['-y', '@acme/kite-mcp']),
    says: 'mcp-get',
  }),
  row('npx create-', 'npx create-kite-app', { none: 'create-kite-app' }),
  row('a set-up of its own', 'npx -y kite-mcp init --client cursor', { none: 'kite-mcp init' }),
  row('the inspector', 'npx @modelcontextprotocol/inspector npx -y kite-mcp', {
    servers: kite(),
    says: 'inspector',
  }),
  row('pip install', 'pip install wind-mcp', { none: 'prepares' }),
  row('git clone', 'git clone https://github.com/acme/kite-mcp\ncd kite-mcp\nnpm install', {
    none: 'prepares',
  }),
  row('docker pull', 'docker pull acme/kite-mcp', { none: 'prepares' }),
  row('claude mcp list', 'claude mcp list', { none: 'No MCP server' }),
  row('claude mcp add with the command by option', 'claude mcp add kite --command npx --args -y kite-mcp', {
    servers: kiteNamed(),
  }),
  row('two dashes after the command', 'gemini mcp add kite npx -y kite-mcp -- --port 3', {
    servers: runs('kite', 'npx', ['-y', 'kite-mcp', '--port', '3']),
  }),
  row('a client as a package', 'npx -y @anthropic-ai/claude-code mcp add kite -- npx -y kite-mcp', {
    servers: kiteNamed(),
  }),
  row('installed, then run', 'pip install wind-mcp && wind-mcp', {
    servers: runs('wind-mcp', 'wind-mcp', []),
  }),
  row('a container in the background', 'docker run -d -p 3000:3000 acme/kite-mcp', { none: 'prepares' }),
  row('a package with its options', '@acme/kite-mcp --port 3', {
    servers: runs('kite-mcp', 'npx', ['-y', '@acme/kite-mcp', '--port', '3']),
  }),
  row('a command of a chat', '/plugin marketplace add acme/kite', { none: 'prepares something' }),
  row('a name of the registry', 'io.github.acme/kite', { none: 'registry' }),
  row('an address of a WebSocket', 'wss://pond.example.com/ws', { none: 'WebSocket' }),
  row('the clone address of a repository', 'git@github.com:acme/kite-mcp.git', { none: 'repository' }),
  row('a host and a port', 'localhost:8000/mcp', {
    servers: reaches('localhost', 'http://localhost:8000/mcp'),
  }),
  row('a number as host', 'http://127.0.0.1:8080/sse', {
    servers: reaches('server', 'http://127.0.0.1:8080/sse'),
  }),
  row('a prompt with a folder', '~/src ❯ npx -y kite-mcp', { servers: kite() }),
  row('a prompt with a branch', '➜  src git:(main) ✗ npx -y kite-mcp', { servers: kite() }),
  row('a bridge to a remote server', 'npx -y mcp-remote https://mcp.pond.example/sse', {
    servers: runs('pond', 'npx', ['-y', 'mcp-remote', 'https://mcp.pond.example/sse']),
  }),
  row('the inspector with a variable', 'npx @modelcontextprotocol/inspector -e A=b npx -y kite-mcp', {
    servers: kite({ env: { A: 'b' } }),
    says: 'inspector',
  }),
  row('poetry run', 'poetry run python -m wind_mcp', {
    servers: runs('wind_mcp', 'poetry', ['run', 'python', '-m', 'wind_mcp']),
  }),
  row('wsl', 'wsl npx -y kite-mcp', { servers: runs('kite-mcp', 'wsl', ['npx', '-y', 'kite-mcp']) }),
  row(
    'q mcp add with a timeout, off',
    'q mcp add --name kite --command npx --args "-y,kite-mcp" --timeout 60000 --disabled',
    {
      servers: kiteNamed({ timeout: 60_000, disabled: true }),
    },
  ),
  row(
    'claude mcp add with a client id',
    'claude mcp add -t http pond https://pond.example.com/mcp --client-id me --callback-port 8080',
    {
      servers: pond({ type: 'http', patchbay: { oauth: { clientId: 'me', callbackPort: 8080 } } }),
    },
  ),
  row('prose', 'Install the server with your favourite tool.', { none: 'No MCP server' }),
  row('a command in a sentence', 'Use npx -y kite-mcp to start it, then restart your client.', {
    servers: runs('kite-mcp', 'npx', ['-y', 'kite-mcp']),
  }),
  row('a command after a word in a list', '1. Install Node.\n2. Run: npx -y kite-mcp --port 3000\n3. Done', {
    servers: runs('kite-mcp', 'npx', ['-y', 'kite-mcp', '--port', '3000']),
  }),
  row('programs that are only talked about', 'You need npx and uvx on your path.', { none: 'No MCP server' }),
  row('a server on another computer', 'ssh -p 2222 ann@example.com npx -y kite-mcp', {
    servers: runs('kite-mcp', 'ssh', ['-p', '2222', 'ann@example.com', 'npx', '-y', 'kite-mcp']),
  }),
  row('a shell on another computer', 'ssh ann@example.com', { none: 'No MCP server' }),
  row('a greeting', 'hello', { none: 'No MCP server' }),
  row('a package whose scope says more than its name', 'npx -y @kite/mcp', {
    servers: runs('kite', 'npx', ['-y', '@kite/mcp']),
  }),
  row(
    'kiro-cli mcp add with its headers as JSON',
    `kiro-cli mcp add --name pond --url https://pond.example.com/mcp --headers '{"Authorization": "Bearer <token>"}'`,
    { servers: pond({ headers: { Authorization: 'Bearer ${secret:POND_TOKEN}' } }), asks: ['pond token'] },
  ),
  row(
    'vibe mcp add with the variable of its key',
    'vibe mcp add pond --url https://pond.example.com/mcp --transport streamable-http --api-key-env SET',
    { servers: pond({ type: 'http', headers: { Authorization: 'Bearer ${SET}' } }) },
  ),
  row(
    'hermes mcp add, whose arguments are all words that follow',
    'hermes mcp add wind --command uvx --connect-timeout 120 \\\n  --args --refresh --from git+https://git.example.com/acme/wind.git wind-mcp',
    {
      servers: runs('wind', 'uvx', [
        '--refresh',
        '--from',
        'git+https://git.example.com/acme/wind.git',
        'wind-mcp',
      ]),
    },
  ),
  row('mcporter config add', 'mcporter config add kite --command npx --args -y,kite-mcp', {
    servers: kiteNamed(),
  }),
  row(
    'a line of Crush',
    `echo 'mcp add kite --command npx --args -y --args kite-mcp' >> ~/.config/crush/crushrc`,
    { servers: kiteNamed() },
  ),
  row('options of the client behind the command', 'gemini mcp add kite npx -y kite-mcp --trust -s user', {
    servers: kiteNamed(),
  }),
  row(
    'code --add-mcp as PowerShell wants its quotes',
    `code --add-mcp '{"""name""":"""kite""","""command""":"""npx""","""args""":["""-y""","""kite-mcp"""]}'`,
    { servers: kiteNamed() },
  ),
  row('a long dash for two', 'claude mcp add kite — npx –y kite-mcp', { servers: kiteNamed() }),
  row('the manual of a command', 'Usage: claude mcp add [options] <name> <commandOrUrl> [args...]', {
    none: 'No MCP server',
  }),
  row('a form of a command', 'claude mcp add --transport http <name> <url>', { none: 'No MCP server' }),
  row('a sentence about a command', 'The `claude mcp add` command registers a server.', {
    none: 'No MCP server',
  }),
  row('a sentence with a dash', 'claude mcp add — adds a server to your config.', { none: 'No MCP server' }),
  row('a sentence that ends like a state', 'Note: it failed - Connected', { none: 'No MCP server' }),
  row('an address of mail', 'ann@pond.example', { none: 'No MCP server' }),
  row('a tool that installs a server', 'npx @acme/wizard@latest mcp add', { none: 'sets something up' }),
  row('a gateway to a server', 'uvx mcpo --port 8000 -- uvx wind-mcp', {
    servers: runs('wind-mcp', 'uvx', ['wind-mcp']),
    says: 'is not the server itself',
  }),
  row('a gateway that is given a line', 'npx -y supergateway --stdio "npx -y kite-mcp" --port 8000', {
    servers: kite(),
    says: 'is not the server itself',
  }),
  // Commands in sentences.
  row('claude mcp add in backticks', 'Run `claude mcp add kite -- npx -y kite-mcp` to add it.', {
    servers: kiteNamed(),
  }),
  row('claude mcp add in backticks before a point', 'Use `claude mcp add kite -- npx -y kite-mcp`.', {
    servers: kiteNamed(),
  }),
  row(
    'claude mcp add in backticks before another command',
    '- **Claude Code:** `claude mcp add kite -- npx -y kite-mcp`, then `/mcp`.',
    { servers: kiteNamed() },
  ),
  row(
    'two commands of a client in a sentence',
    '`claude mcp add kite -- npx -y kite-mcp` or `claude mcp add -t sse pond https://pond.example.com/sse`',
    { servers: { ...kiteNamed(), ...reaches('pond', 'https://pond.example.com/sse', { type: 'sse' }) } },
  ),
  row('claude mcp add in a rendered sentence', 'Run claude mcp add kite -- npx -y kite-mcp to add it.', {
    servers: kiteNamed(),
  }),
  row(
    'claude mcp add late in a sentence',
    'Now, to add it, please run claude mcp add --transport http pond https://pond.example.com/mcp.',
    { servers: pond({ type: 'http' }) },
  ),
  row(
    'claude mcp add in a sentence, with a value in quotes',
    'Then run claude mcp add kite -e KITE_TITLE="to and fro" -- npx -y kite-mcp, and restart.',
    { servers: kiteNamed({ env: { KITE_TITLE: 'to and fro' } }) },
  ),
  row('/mcp add in a sentence', 'Use /mcp add kite "npx -y kite-mcp" in the chat.', { servers: kiteNamed() }),
  row(
    'a command that is only named, beside a config',
    'Add it with the `amp mcp add` command below, or with amp mcp add command below:\n\n{"mcpServers":{"kite":{"command":"npx","args":["-y","kite-mcp"]}}}',
    { servers: kiteNamed() },
  ),
  row('words of a value that look like a sentence', 'claude mcp add kite -- npx -y kite-mcp "up and away"', {
    servers: runs('kite', 'npx', ['-y', 'kite-mcp', 'up and away']),
  }),
  // Paths.
  row('folders in prose', 'Codex keeps its settings in `~/.codex/`; programs are in `/usr/local/bin/`.', {
    none: 'No MCP server',
  }),
  row('the id of a library', 'Use the library id `/acme/kite`, please.', { none: 'No MCP server' }),
  row('an endpoint in prose', 'It answers at `/api/v1/mcp` and keeps `./data`.', { none: 'No MCP server' }),
  row(
    'a page before a text',
    '---\ntitle: Kite\naliases:\n- /docs/kite/install-the-binary/\n---\nAbout mcp.',
    {
      none: 'No MCP server',
    },
  ),
  row('a file of a client', '`~/Library/Application Support/Claude/claude_desktop_config.json`', {
    none: 'No MCP server',
  }),
  row('a file of settings', '/srv/kite/settings.ini', { none: 'No MCP server' }),
  row('a program by its path in prose', 'The program is at `/opt/kite/bin/kite`.', {
    servers: runs('kite', '/opt/kite/bin/kite', []),
  }),
  row('a program by its path alone', '/opt/kite/run-kite', {
    servers: runs('run-kite', '/opt/kite/run-kite', []),
  }),
  row('a program that was built', 'Build it, then start it:\n```sh\nmake\n./kite\n```', {
    servers: runs('kite', './kite', []),
  }),
  row('a program in prose with options', 'Start `/opt/kite/kite --stdio` first.', {
    servers: runs('kite', '/opt/kite/kite', ['--stdio']),
  }),
  row('a command to be filled in', 'claude mcp add kite -- <path to kite>', {
    servers: runs('kite', 'typed', []),
    asks: ['path to kite'],
  }),
  row('the manual of a command with a name', 'claude mcp add myserver -- <command> [args...]', {
    none: 'No MCP server',
  }),
  // Chat messages.
  row('a message with its time', '[10:02 AM] Ana Lee: the server is https://pond.example.com/mcp', {
    servers: reaches('example', 'https://pond.example.com/mcp'),
  }),
  row('a message with its day', '[2026-11-02, 10:02] Ana: https://pond.example.com/mcp', {
    servers: reaches('example', 'https://pond.example.com/mcp'),
  }),
  row('a list with an address', '["https://pond.example.com/mcp"]', { none: 'No MCP server' }),
  // Options.
  row(
    'add-mcp with arguments',
    'npx add-mcp kite-mcp -g -a claude-code --args serve --args --host --args claude',
    { servers: runs('kite-mcp', 'npx', ['-y', 'kite-mcp', 'serve', '--host', 'claude']), says: 'add-mcp' },
  ),
  row('hyphens that do not break', 'npx \u2011y @acme/kite\u2011mcp', {
    servers: runs('kite-mcp', 'npx', ['-y', '@acme/kite-mcp']),
  }),
  row(
    'hyphens that do not break, before an option',
    'claude mcp add pond \u2011\u2011transport http https://pond.example.com/mcp',
    { servers: pond({ type: 'http' }) },
  ),
  row('a minus for a hyphen', 'claude mcp add kite \u2212\u2212 npx \u2010y kite\u2010mcp', {
    servers: kiteNamed(),
  }),
  row(
    'kiro-cli mcp add, not off',
    'kiro-cli mcp add --name kite --command npx --args -y --args kite-mcp --disabled false',
    { servers: kiteNamed() },
  ),
  row(
    'kiro-cli mcp add, off',
    'kiro-cli mcp add --name kite --command npx --args -y --args kite-mcp --disabled=true',
    { servers: kiteNamed({ disabled: true }) },
  ),
  row('docker compose with its file', 'docker compose -f kite.yml run --rm -T mcp', {
    servers: runs('mcp', 'docker', ['compose', '-f', 'kite.yml', 'run', '--rm', '-T', 'mcp']),
  }),
  row('docker compose up with its file', 'docker compose -f kite.yml up -d', { none: 'prepares' }),
  row('php artisan', 'php artisan boost:mcp', {
    servers: runs('boost-mcp', 'php', ['artisan', 'boost:mcp']),
  }),
  row('php artisan with the name of a server', 'php artisan mcp:start kite', {
    servers: runs('mcp-start', 'php', ['artisan', 'mcp:start', 'kite']),
  }),
  row('php artisan for something else', 'php artisan migrate', { none: 'No MCP server' }),
  row('cargo run', 'cargo run --bin kite-mcp', {
    servers: runs('kite-mcp', 'cargo', ['run', '--bin', 'kite-mcp']),
  }),
  row('cargo run of whatever lies there', 'cargo run --release', { none: 'No MCP server' }),
  row('an installed gateway', 'mcp-proxy --port 8080 -- npx -y kite-mcp@latest', {
    servers: runs('kite-mcp', 'npx', ['-y', 'kite-mcp@latest']),
    says: 'is not the server itself',
  }),
  row('a gateway without dashes', 'uvx mcp-proxy --port=8080 uvx wind-mcp', {
    servers: runs('wind-mcp', 'uvx', ['wind-mcp']),
    says: 'is not the server itself',
  }),
  row('an installed bridge', 'mcp-proxy https://pond.example.com/sse', {
    servers: runs('mcp-proxy', 'mcp-proxy', ['https://pond.example.com/sse']),
  }),
  row(
    'the inspector in a folder',
    'cd /srv/servers/wind\nWIND_MODE=fast npx @modelcontextprotocol/inspector uv run wind-mcp',
    {
      servers: runs('wind-mcp', 'uv', ['run', 'wind-mcp'], {
        cwd: '/srv/servers/wind',
        env: { WIND_MODE: 'fast' },
      }),
      says: 'inspector',
    },
  ),
  row(
    'the inspector in a folder that nobody has',
    'cd path/to/servers/wind\nnpx @modelcontextprotocol/inspector uv run wind-mcp',
    {
      servers: runs('wind-mcp', 'uv', ['run', 'wind-mcp'], { cwd: 'typed' }),
      asks: ['path to servers/wind'],
      says: 'inspector',
    },
  ),
];
