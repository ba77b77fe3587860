// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import { reaches, row, runs, type TextRow } from './row.ts';

const kite = (more: object = {}) => runs('kite', 'npx', ['-y', 'kite-mcp'], more);
const unnamed = (more: object = {}) => runs('kite-mcp', 'npx', ['-y', 'kite-mcp'], more);
const pond = (more: object = {}) => reaches('pond', 'https://pond.example.com/mcp', more);
const address = 'https://pond.example.com/mcp';
const fast = { env: { KITE_MODE: 'fast' } };
const key = { env: { KITE_API_KEY: '${secret:KITE_API_KEY}' } };
const token = { env: { KITE_TOKEN: '${secret:KITE_TOKEN}' } };

/** Lines of shells of every system, and client commands. */
export const shellRows: readonly TextRow[] = [
  row('npx with two options', 'npx --yes --quiet kite-mcp', {
    servers: runs('kite-mcp', 'npx', ['--yes', '--quiet', 'kite-mcp']),
  }),
  row('npx of a repository', 'npx -y github:acme/kite-mcp', {
    servers: runs('kite-mcp', 'npx', ['-y', 'github:acme/kite-mcp']),
  }),
  row('npx by its path', '/opt/homebrew/bin/npx -y kite-mcp', {
    servers: runs('kite-mcp', '/opt/homebrew/bin/npx', ['-y', 'kite-mcp']),
  }),
  row('npx.cmd', 'npx.cmd -y kite-mcp', { servers: runs('kite-mcp', 'npx.cmd', ['-y', 'kite-mcp']) }),
  row('a registry of a company', 'npx -y --registry=https://npm.example.com @acme/kite-mcp', {
    servers: runs('kite-mcp', 'npx', ['-y', '--registry=https://npm.example.com', '@acme/kite-mcp']),
  }),
  row('bun run', 'bun run /srv/kite/index.ts', {
    servers: runs('kite', 'bun', ['run', '/srv/kite/index.ts']),
  }),
  row('deno with permissions', 'deno run --allow-net --allow-env=KITE npm:kite-mcp', {
    servers: runs('kite-mcp', 'deno', ['run', '--allow-net', '--allow-env=KITE', 'npm:kite-mcp']),
  }),
  row('uvx with an extra', "uvx 'wind-mcp[web]' --port 3", {
    servers: runs('wind-mcp', 'uvx', ['wind-mcp[web]', '--port', '3']),
  }),
  row('uvx with a version', 'uvx wind-mcp@latest', { servers: runs('wind-mcp', 'uvx', ['wind-mcp@latest']) }),
  row('uvx with Python', 'uvx --python 3.12 --from wind-tools wind-mcp serve', {
    servers: runs('wind-mcp', 'uvx', ['--python', '3.12', '--from', 'wind-tools', 'wind-mcp', 'serve']),
  }),
  row('uv tool run', 'uv tool run wind-mcp', {
    servers: runs('wind-mcp', 'uv', ['tool', 'run', 'wind-mcp']),
  }),
  row('uv run in a folder', 'cd ~/src/wind\nuv run wind-mcp', {
    servers: runs('wind-mcp', 'uv', ['run', 'wind-mcp'], { cwd: '~/src/wind' }),
  }),
  row('pipx with a source', 'pipx run --spec git+https://git.example.com/acme/wind wind-mcp', {
    servers: runs('wind-mcp', 'pipx', ['run', '--spec', 'git+https://git.example.com/acme/wind', 'wind-mcp']),
  }),
  row('dnx', 'dnx Acme.Kite.Mcp --yes', {
    servers: runs('Acme-Kite-Mcp', 'dnx', ['Acme.Kite.Mcp', '--yes']),
  }),
  row('a jar with memory', 'java -Xmx512m -jar kite-mcp-1.0.jar', {
    servers: runs('kite-mcp-1-0', 'java', ['-Xmx512m', '-jar', 'kite-mcp-1.0.jar']),
  }),
  row(
    'docker over lines with a volume',
    'docker run -i --rm \\\n  -e KITE_TOKEN=<your-token> \\\n  -v "$(pwd)":/work \\\n  ghcr.io/acme/kite:latest',
    {
      servers: runs('kite', 'docker', [
        'run',
        '-i',
        '--rm',
        '-e',
        'KITE_TOKEN=${secret:KITE_TOKEN}',
        '-v',
        'typed:/work',
        'ghcr.io/acme/kite:latest',
      ]),
      asks: ['KITE_TOKEN', 'Workspace folder'],
    },
  ),
  row('docker with a mount', 'docker run -i --rm --mount type=bind,src=/srv,dst=/srv mcp/kite /srv', {
    servers: runs('kite', 'docker', [
      'run',
      '-i',
      '--rm',
      '--mount',
      'type=bind,src=/srv,dst=/srv',
      'mcp/kite',
      '/srv',
    ]),
  }),
  row('docker with a port', 'docker run -d -p 8080:8080 acme/kite', { none: 'prepares something' }),
  row('the Docker gateway', 'docker mcp gateway run', {
    servers: runs('mcp-gateway-run', 'docker', ['mcp', 'gateway', 'run']),
  }),
  row('the Docker gateway with servers', 'docker mcp gateway run --servers=kite,pond', {
    servers: runs('mcp-gateway-run', 'docker', ['mcp', 'gateway', 'run', '--servers=kite,pond']),
  }),
  row(
    'PowerShell with two variables',
    '$env:KITE_TOKEN = "your-token"\n$env:KITE_MODE="fast"\nnpx -y kite-mcp',
    { servers: unnamed({ env: { ...token.env, KITE_MODE: 'fast' } }), asks: ['KITE_TOKEN'] },
  ),
  row('PowerShell with a call', '& "C:\\Program Files\\Kite\\kite-mcp.exe" --stdio', {
    servers: runs('kite-mcp', 'C:\\Program Files\\Kite\\kite-mcp.exe', ['--stdio']),
  }),
  row('pwsh', 'pwsh -NoProfile -Command "npx -y kite-mcp"', { servers: unnamed() }),
  row('cmd with a variable', 'cmd /c "set KITE_MODE=fast && npx -y kite-mcp"', { servers: unnamed(fast) }),
  row('cmd.exe', 'cmd.exe /C npx -y kite-mcp', { servers: unnamed() }),
  row('setx', 'setx KITE_MODE "fast"\nnpx -y kite-mcp', { servers: unnamed(fast) }),
  row('fish', 'set -x KITE_MODE fast; npx -y kite-mcp', { servers: unnamed(fast) }),
  row('exported in one line', 'export KITE_MODE=fast KITE_LEVEL=3; npx -y kite-mcp', {
    servers: unnamed({ env: { KITE_MODE: 'fast', KITE_LEVEL: '3' } }),
  }),
  row('a placeholder that is exported', 'export KITE_TOKEN="<your token>"\nnpx -y kite-mcp', {
    servers: unnamed(token),
    asks: ['KITE_TOKEN'],
  }),
  row('a value of the shell', 'KITE_TOKEN=$KITE_TOKEN npx -y kite-mcp', {
    servers: unnamed({ env: { KITE_TOKEN: '$KITE_TOKEN' } }),
  }),
  row('a prompt with its answer', '$ npx -y kite-mcp\nKite MCP Server running on stdio\n', {
    servers: unnamed(),
  }),
  row('a prompt of zsh', 'ann@box ~ % npx -y kite-mcp', { servers: unnamed() }),
  row('a prompt of root', 'root@box:/# npx -y kite-mcp', { servers: unnamed() }),
  row('a prompt of an environment', '(.venv) $ python -m wind_mcp', {
    servers: runs('wind_mcp', 'python', ['-m', 'wind_mcp']),
  }),
  row('a prompt that is an angle with a mark', '❯ npx -y kite-mcp', { servers: unnamed() }),
  row('an exclamation mark of a notebook', '!npx -y kite-mcp', { servers: unnamed() }),
  row('comments between lines', '# install\nnpm i -g kite-mcp\n# run\nkite-mcp --stdio\n', {
    servers: runs('kite-mcp', 'kite-mcp', ['--stdio']),
  }),
  row('a background process', 'npx -y kite-mcp &', { servers: unnamed() }),
  row('a command with its time', 'time npx -y kite-mcp', { servers: unnamed() }),
  row('a subshell', '(cd /srv/kite && npx -y kite-mcp)', { servers: unnamed({ cwd: '/srv/kite' }) }),
  row('the command in quotes', '"npx -y kite-mcp"', { servers: unnamed() }),
  row('the command in curly quotes', '“npx -y kite-mcp”', { servers: unnamed() }),
  row('command and arguments apart', 'Command: npx\nArgs: -y kite-mcp', { servers: unnamed() }),
  row('Smithery runs with a key', 'npx -y @smithery/cli@latest run @acme/kite --key YOUR_KEY', {
    servers: runs('kite', 'npx', [
      '-y',
      '@smithery/cli@latest',
      'run',
      '@acme/kite',
      '--key',
      '${secret:KEY}',
    ]),
    asks: ['KEY'],
  }),
  row(
    'Smithery installs with a key',
    'npx -y @smithery/cli@latest install @acme/kite --client cursor --key abc',
    {
      none: 'not an MCP server',
    },
  ),
  row('supergateway', `npx -y supergateway --streamableHttp ${address}`, {
    servers: runs('example', 'npx', ['-y', 'supergateway', '--streamableHttp', address]),
  }),
  row('mcp-proxy', `uvx mcp-proxy --transport=streamablehttp ${address}`, {
    servers: runs('example', 'uvx', ['mcp-proxy', '--transport=streamablehttp', address]),
  }),
  row(
    'mcp-remote with a header',
    `npx -y mcp-remote ${address} --header "Authorization: Bearer <YOUR_TOKEN>"`,
    {
      servers: runs('example', 'npx', [
        '-y',
        'mcp-remote',
        address,
        '--header',
        'Authorization: Bearer ${secret:TOKEN}',
      ]),
      asks: ['TOKEN'],
    },
  ),
  row(
    'claude mcp add with everything',
    `claude mcp add --scope user --transport http --header "X-Key: <your key>" --header "X-Region: eu" pond ${address}`,
    {
      servers: pond({ type: 'http', headers: { 'X-Key': '${secret:POND_KEY}', 'X-Region': 'eu' } }),
      asks: ['pond key'],
    },
  ),
  row('claude mcp add, a name in quotes', 'claude mcp add "My Kite" -- npx -y kite-mcp', {
    servers: runs('My-Kite', 'npx', ['-y', 'kite-mcp'], { patchbay: { title: 'My Kite' } }),
  }),
  row(
    'claude mcp add, the transport as an option with a sign',
    `claude mcp add --transport=sse pond ${address}`,
    {
      servers: pond({ type: 'sse' }),
    },
  ),
  row(
    'claude mcp add, a variable with a blank',
    'claude mcp add kite --env KITE_TITLE="Big kite" -- npx -y kite-mcp',
    {
      servers: kite({ env: { KITE_TITLE: 'Big kite' } }),
    },
  ),
  row(
    'claude mcp add on Windows over lines',
    'claude mcp add kite `\n  --env KITE_MODE=fast `\n  -- cmd /c npx -y kite-mcp',
    {
      servers: kite(fast),
    },
  ),
  row(
    'claude mcp add-json, remote',
    `claude mcp add-json pond '{"type":"http","url":"${address}","headers":{"Authorization":"Bearer YOUR_TOKEN"}}'`,
    {
      servers: pond({ type: 'http', headers: { Authorization: 'Bearer ${secret:POND_TOKEN}' } }),
      asks: ['pond TOKEN'],
    },
  ),
  row(
    'claude mcp add-json, its name in quotes',
    `claude mcp add-json "kite" '{"command":"cmd","args":["/c","npx","-y","kite-mcp"]}'`,
    {
      servers: kite(),
    },
  ),
  row(
    'claude mcp add-json with curly quotes',
    'claude mcp add-json kite ‘{“command”:“npx”,“args”:[“-y”,“kite-mcp”]}’',
    {
      servers: kite(),
    },
  ),
  row('claude mcp add after a variable', 'KITE_MODE=fast claude mcp add kite -- npx -y kite-mcp', {
    servers: kite(fast),
  }),
  row(
    'claude mcp add after an assignment',
    'TOKEN=<your-token>\nclaude mcp add --transport http pond https://pond.example.com/mcp --header "Authorization: Bearer $TOKEN"',
    {
      servers: pond({ type: 'http', headers: { Authorization: 'Bearer ${secret:POND_TOKEN}' } }),
      asks: ['pond token'],
    },
  ),
  row(
    'claude --mcp-config',
    `claude --mcp-config '{"mcpServers":{"kite":{"command":"npx","args":["-y","kite-mcp"]}}}'`,
    {
      servers: kite(),
    },
  ),
  row(
    'claude mcp remove, then add',
    'claude mcp remove kite\nclaude mcp add kite -- npx -y kite-mcp\nclaude mcp list',
    {
      servers: kite(),
    },
  ),
  row(
    'codex mcp add with two variables',
    'codex mcp add kite --env KITE_MODE=fast --env KITE_TOKEN=<token> -- npx -y kite-mcp',
    {
      servers: kite({ env: { KITE_MODE: 'fast', ...token.env } }),
      asks: ['KITE_TOKEN'],
    },
  ),
  row('gemini mcp add with a scope', 'gemini mcp add -s user kite npx -- -y kite-mcp', { servers: kite() }),
  row(
    'gemini mcp add with a header',
    `gemini mcp add --transport http --header "Authorization: Bearer $SET" pond ${address}`,
    {
      servers: pond({ type: 'http', headers: { Authorization: 'Bearer $SET' } }),
    },
  ),
  row('qwen mcp add over HTTP', `qwen mcp add --transport http pond ${address}`, {
    servers: pond({ type: 'http' }),
  }),
  row('amp mcp add with a header', `amp mcp add pond --header "X-Key=YOUR_API_KEY" ${address}`, {
    servers: pond({ headers: { 'X-Key': '${secret:POND_API_KEY}' } }),
    asks: ['pond API_KEY'],
  }),
  row('droid mcp add with a header', `droid mcp add pond ${address} --type http --header "X-Key: $SET"`, {
    servers: pond({ type: 'http', headers: { 'X-Key': '$SET' } }),
  }),
  row('opencode mcp add with dashes', 'opencode mcp add kite --global -- npx -y kite-mcp', {
    servers: kite(),
  }),
  row('vibe mcp add', 'vibe mcp add kite -- npx -y kite-mcp', { servers: kite() }),
  row('openclaw mcp set', `openclaw mcp set kite '{"command":"npx","args":["-y","kite-mcp"]}'`, {
    servers: kite(),
  }),
  row('hermes mcp add', 'hermes mcp add kite --command npx --args -y kite-mcp', { servers: kite() }),
  row('lms import', `lms import kite`, { none: 'No MCP server' }),
  row(
    'code --add-mcp with inputs',
    `code --add-mcp '{"name":"kite","command":"npx","args":["-y","kite-mcp"],"env":{"KITE_TOKEN":"\${input:kite_token}"}}'`,
    {
      servers: kite(token),
      asks: ['kite_token'],
    },
  ),
  row(
    'code --add-mcp in PowerShell',
    'code --add-mcp "{`"name`":`"kite`",`"command`":`"npx`",`"args`":[`"-y`",`"kite-mcp`"]}"',
    {
      servers: kite(),
    },
  ),
  row('fastmcp run', 'fastmcp run /srv/wind/server.py --transport stdio', {
    servers: runs('wind', 'fastmcp', ['run', '/srv/wind/server.py', '--transport', 'stdio']),
  }),
  row(
    'a port of a server that runs',
    'npx -y kite-mcp --transport http --port 3000\n# then connect to http://localhost:3000/mcp',
    {
      servers: runs('kite-mcp', 'npx', ['-y', 'kite-mcp', '--transport', 'http', '--port', '3000']),
      says: 'HTTP',
    },
  ),
  row('help of a program', 'npx -y kite-mcp --help', { none: 'No MCP server' }),
  row(
    'the clone of a repository, then a build, then a run',
    'git clone https://github.com/acme/kite\ncd kite\nnpm install && npm run build\nnode dist/index.js',
    {
      servers: runs('kite', 'node', ['dist/index.js'], { cwd: 'typed' }),
      asks: ['path to kite'],
    },
  ),
  row('a label before a command', 'Install: npx -y kite-mcp', { servers: unnamed() }),
  row('a shell that reads its start-up files', 'bash -lc "source ~/.nvm/nvm.sh && npx -y kite-mcp"', {
    servers: runs('bash', 'bash', ['-lc', 'source ~/.nvm/nvm.sh && npx -y kite-mcp']),
  }),
  row('nix run', 'nix run github:acme/kite-mcp -- --stdio', {
    servers: runs('kite-mcp', 'nix', ['run', 'github:acme/kite-mcp', '--', '--stdio']),
  }),
  row('an address with a name and a password', 'https://ann:YOUR_PASSWORD@pond.example.com/mcp', {
    servers: reaches('example', 'https://ann:${secret:PASSWORD}@pond.example.com/mcp'),
    asks: ['PASSWORD'],
  }),
  row(
    'a command in the place of a value',
    `claude mcp add kite -e KITE_TOKEN=$(grep KITE_TOKEN .env | cut -d '=' -f2) -- npx -y kite-mcp`,
    { servers: kite(token), asks: ['KITE_TOKEN'] },
  ),
  row(
    'a variable of PowerShell alone',
    `$pat = "YOUR_POND_PAT"\nclaude mcp add pond --transport http ${address} -H "Authorization: Bearer $pat"`,
    {
      servers: pond({ type: 'http', headers: { Authorization: 'Bearer ${secret:POND_PAT}' } }),
      asks: ['POND_PAT'],
    },
  ),
  row(
    'a secret that was exported before',
    `export POND_TOKEN=pnd_9fA2bC7dE1gH4jK8\nclaude mcp add pond ${address} --transport http --header "Authorization: Bearer $POND_TOKEN"`,
    { servers: pond({ type: 'http', headers: { Authorization: 'Bearer ${secret:POND_TOKEN}' } }) },
  ),
  row(
    'a variable that is not exported',
    'TOKEN="paste-your-token"\nclaude mcp add kite -e KITE_TOKEN=$TOKEN -- npx -y kite-mcp',
    { servers: kite(token), asks: ['KITE_TOKEN'] },
  ),
  row('a prompt with a folder', '➜  ~ npx -y kite-mcp', { servers: unnamed() }),
  row(
    'a dialogue of goose',
    ' ◇  What would you like to call this extension?\n │  Kite\n │\n ◇  What command should be run?\n │  npx -y kite-mcp\n └  Added Kite extension',
    { servers: unnamed() },
  ),
  row(
    'a request to try out',
    `curl -X POST ${address} \\\n  -H "X-Api-Key: <your key>" \\\n  -H "Content-Type: application/json" \\\n  -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`,
    { servers: reaches('example', address, { headers: { 'X-Api-Key': '${secret:KEY}' } }), asks: ['key'] },
  ),
  row('a request to try out on Windows', `curl.exe -X POST "${address}" ^\n  -H "X-Api-Key: <your key>"`, {
    servers: reaches('example', address, { headers: { 'X-Api-Key': '${secret:KEY}' } }),
    asks: ['key'],
  }),
  row('a request by wget', `wget --header="X-Api-Key: <your key>" ${address}`, {
    servers: reaches('example', address, { headers: { 'X-Api-Key': '${secret:KEY}' } }),
    asks: ['key'],
  }),
  row(
    'a request by PowerShell',
    `Invoke-RestMethod -Uri ${address} -Headers @{ Authorization = "Bearer kt_9fA2bC7dE1gH4jK8" }`,
    {
      servers: reaches('example', address, { headers: { Authorization: 'Bearer ${secret:EXAMPLE_TOKEN}' } }),
    },
  ),
  row(
    'what a client lists',
    `Checking MCP server health...\n\npond: ${address} (HTTP) - ✓ Connected\nkite: npx -y kite-mcp - ✗ Failed to connect`,
    { servers: { ...pond({ type: 'http' }), ...kite() } },
  ),
  row(
    'a path that nobody has, in a variable',
    'claude mcp add kite -e KITE_DIR=/path/to/kite -- npx -y kite-mcp',
    {
      servers: kite({ env: { KITE_DIR: '/path/to/kite' } }),
      says: 'is an example',
    },
  ),
  row('a prompt between brackets', '[ana@fedora ~]$ KITE_API_KEY=k9Xv2LmQ8sTz4RbW npx -y kite-mcp', {
    servers: unnamed(key),
  }),
  row(
    'a prompt of root with an exported variable',
    '[root@host dir]# export KITE_API_KEY=k9Xv2LmQ8sTz4RbW\n[root@host dir]# npx -y kite-mcp',
    { servers: unnamed(key) },
  ),
  row('a line of a history', '  501  KITE_API_KEY=k9Xv2LmQ8sTz4RbW npx -y kite-mcp', {
    servers: unnamed(key),
  }),
  row(
    'a line of a history with its time',
    '  501  2026-11-02 10:02:33 KITE_API_KEY=k9Xv2LmQ8sTz4RbW npx -y kite-mcp',
    { servers: unnamed(key) },
  ),
  row('a prompt of macOS', 'Anas-MBP:~ ana$ KITE_API_KEY=k9Xv2LmQ8sTz4RbW npx -y kite-mcp', {
    servers: unnamed(key),
  }),
  row('a prompt with the version of the shell', 'bash-5.2$ KITE_API_KEY=k9Xv2LmQ8sTz4RbW npx -y kite-mcp', {
    servers: unnamed(key),
  }),
  row('a prompt of two lines', '┌──(ana㉿kali)-[~]\n└─$ KITE_API_KEY=k9Xv2LmQ8sTz4RbW npx -y kite-mcp', {
    servers: unnamed(key),
  }),
  row('a prompt of a fish', 'ana@box ~/src> KITE_API_KEY=k9Xv2LmQ8sTz4RbW npx -y kite-mcp', {
    servers: unnamed(key),
  }),
  row('a prompt that nobody knows', '<<me>> KITE_API_KEY=k9Xv2LmQ8sTz4RbW npx -y kite-mcp', {
    servers: unnamed(key),
  }),
  row(
    'a prompt that nobody knows, with an exported variable',
    'me::~ :: export KITE_API_KEY=k9Xv2LmQ8sTz4RbW\nme::~ :: npx -y kite-mcp',
    { servers: unnamed(key) },
  ),
  row('variables in a sentence', 'Just run KITE_API_KEY=k9Xv2LmQ8sTz4RbW npx -y kite-mcp, and wait.', {
    servers: unnamed(key),
  }),
  row('fish with and', 'set -gx KITE_API_KEY k9Xv2LmQ8sTz4RbW; and npx -y kite-mcp', {
    servers: unnamed(key),
  }),
  row('Nushell', '$env.KITE_API_KEY = "k9Xv2LmQ8sTz4RbW"\nnpx -y kite-mcp', { servers: unnamed(key) }),
  row('cmd with one sign', 'set KITE_API_KEY=k9Xv2LmQ8sTz4RbW & npx -y kite-mcp', { servers: unnamed(key) }),
  row('cmd with one sign, quoted', 'cmd /c "set KITE_API_KEY=k9Xv2LmQ8sTz4RbW & npx -y kite-mcp"', {
    servers: unnamed(key),
  }),
  row('two processes in a line', 'npx -y kite-mcp & uvx wind-mcp', {
    servers: { ...unnamed(), ...runs('wind-mcp', 'uvx', ['wind-mcp']) },
  }),
  row('an address with several values', 'npx -y mcp-remote https://pond.example.com/mcp?a=1&b=2', {
    servers: runs('example', 'npx', ['-y', 'mcp-remote', 'https://pond.example.com/mcp?a=1&b=2']),
  }),
  row('a sum of money', 'It costs 20 dollars a month; npx is not needed.', { none: 'No MCP server' }),
  row('a history of fish', '- cmd: KITE_API_KEY=k9Xv2LmQ8sTz4RbW npx -y kite-mcp\n  when: 1', {
    servers: unnamed({ when: 1, ...key }),
  }),
  row(
    'a config whose command sets a variable',
    '{"mcpServers":{"kite":{"command":"KITE_MODE=fast /opt/kite/run --stdio"}}}',
    { servers: runs('kite', '/opt/kite/run', ['--stdio'], fast) },
  ),
  row(
    'a comment in a command over lines',
    'docker run -i --rm \\\n  # the mode\n  -e KITE_MODE=fast \\\n  acme/kite',
    { servers: runs('kite', 'docker', ['run', '-i', '--rm', '-e', 'KITE_MODE=fast', 'acme/kite']) },
  ),
  row(
    'a comment behind a line that goes on',
    'claude mcp add kite \\ # its name\n  --env KITE_MODE=fast \\\n\n  # what it runs\n  -- npx -y kite-mcp',
    { servers: kite(fast) },
  ),
  row('a line that goes on in nothing', 'npx -y kite-mcp \\\n\nuvx wind-mcp', {
    servers: { ...unnamed(), ...runs('wind-mcp', 'uvx', ['wind-mcp']) },
  }),
  row(
    'what a client tells of a server',
    'kite:\n  Scope: User config\n  Status: ✓ Connected\n  Type: stdio\n  Command: npx\n  Args: -y kite-mcp\n  Environment:\n    KITE_API_KEY=k9Xv2LmQ8sTz4RbW\n    KITE_MODE=fast\n\nTo remove this server, run: claude mcp remove "kite" -s user',
    { servers: kite({ type: 'stdio', env: { ...key.env, KITE_MODE: 'fast' } }) },
  ),
  row(
    'what a client tells of a server that is reached',
    `pond:\n  Scope: Local config\n  Type: http\n  URL: ${address}\n  Headers:\n    X-Region: eu\n    X-Mode: fast`,
    { servers: pond({ type: 'http', headers: { 'X-Region': 'eu', 'X-Mode': 'fast' } }) },
  ),
  row('fields with variables below', 'Name: kite\nCommand: npx -y kite-mcp\nEnvironment:\nKITE_MODE=fast', {
    servers: kite(fast),
  }),
  row(
    'what Codex tells of a server',
    'kite\n  enabled: true\n  transport: stdio\n  command: npx\n  args: -y kite-mcp\n  cwd: -\n  env: -\n  remove: codex mcp remove kite',
    { servers: kite({ type: 'stdio' }) },
  ),
  row(
    'a table of Codex',
    `Name  Command  Args         Env             Cwd        Status   Auth\nkite  npx      -y kite-mcp  KITE_MODE=fast  /srv/kite  enabled  Unsupported\n\nName  Url                           Bearer Token Env Var  Status   Auth\npond  ${address}  SET                   enabled  Bearer token`,
    {
      servers: {
        ...kite({ ...fast, cwd: '/srv/kite' }),
        ...pond({ headers: { Authorization: 'Bearer ${SET}' } }),
      },
    },
  ),
  row('a row of Codex', 'kite  npx      -y kite-mcp   -    -    disabled  Unsupported', {
    servers: kite({ disabled: true }),
  }),
  row(
    'a list of opencode',
    `┌  MCP Servers\n│\n●  ✓ pond connected\n│      ${address}\n│\n●  ✗ kite failed\n│      it ended\n│      npx -y kite-mcp\n│\n└  2 server(s)`,
    { servers: { ...pond(), ...kite() } },
  ),
  row('nushell with a record', 'with-env {KITE_MODE: fast} {npx -y kite-mcp}', { servers: unnamed(fast) }),
  row('nushell with a list', 'with-env [KITE_MODE "fast"] { npx -y kite-mcp }', { servers: unnamed(fast) }),
  row('nushell with a record before', 'load-env {KITE_MODE: fast}; npx -y kite-mcp', {
    servers: unnamed(fast),
  }),
  row('a block', 'do { npx -y kite-mcp }', { servers: unnamed() }),
  row('an address with spaces', 'https://pond.example.com / mcp', {
    servers: reaches('example', address),
    says: 'the spaces in this address were removed',
  }),
  row('an address with a space after its scheme', 'https:// pond.example.com/mcp', {
    servers: reaches('example', address),
    says: 'the spaces in this address were removed',
  }),
  row('a path with a space, without quotes', 'java -jar /srv/My Servers/kite.jar', {
    servers: runs('kite', 'java', ['-jar', '/srv/My', 'Servers/kite.jar']),
    says: '/srv/My Servers/kite.jar looks like one path with a space',
  }),
  row(
    'a program with a space in its path, without quotes',
    '/Applications/My App.app/Contents/MacOS/kite --mcp',
    {
      servers: runs('My', '/Applications/My', ['App.app/Contents/MacOS/kite', '--mcp']),
      says: 'looks like one path with a space',
    },
  ),
];
