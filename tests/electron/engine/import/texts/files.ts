// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import { reaches, row, runs, type TextRow } from './row.ts';

const kite = (more: object = {}) => runs('kite', 'npx', ['-y', 'kite-mcp'], more);
const pond = (more: object = {}) => reaches('pond', 'https://pond.example.com/mcp', more);
const own = { command: 'npx', args: ['-y', 'kite-mcp'] };
const address = { url: 'https://pond.example.com/mcp' };
const kiteFile = (more: object) => JSON.stringify({ mcpServers: { kite: { ...own, ...more } } });
const pondFile = (more: object) => JSON.stringify({ mcpServers: { pond: { ...address, ...more } } });
const both = { mcpServers: { kite: own, pond: address } };
const beside = (more: object) => JSON.stringify({ ...more, ...both });
const js = (server: string) => `const c = { mcpServers: { kite: { ${server} } } };`;
const ownJs = 'command: "npx", args: ["-y", "kite-mcp"]';
const bearer = { headers: { Authorization: 'Bearer ${secret:POND_TOKEN}' } };
const token = 'kT9fQ2LxT7vB1nM4zR8wY6cD3';

const keys: readonly TextRow[] = [
  row(
    'variables of LiteLLM',
    `mcp_servers:
  pond:
    url: os.environ/POND_URL
    static_headers:
      X-API-Key: "os.environ/SET"
  kite:
    command: npx
    args: ["-y", "kite-mcp"]
    env:
      KITE_TOKEN: os.environ/SET`,
    {
      servers: {
        pond: { url: '${POND_URL}', headers: { 'X-API-Key': '${SET}' } },
        ...kite({ env: { KITE_TOKEN: '${SET}' } }),
      },
    },
  ),
  row('a bearer token of LiteLLM', pondFile({ auth_type: 'bearer_token', auth_value: 'os.environ/SET' }), {
    servers: pond({ headers: { Authorization: 'Bearer ${SET}' } }),
  }),
  row('an API key of LiteLLM', pondFile({ auth_type: 'api_key', auth_value: 'os.environ/SET' }), {
    servers: pond({ headers: { 'X-API-Key': '${SET}' } }),
  }),
  row('no key of LiteLLM', pondFile({ auth_type: 'none' }), { servers: pond() }),
  row('a token of FastMCP', pondFile({ auth: token }), { servers: pond(bearer) }),
  row('a sign-in of FastMCP', pondFile({ auth: 'oauth' }), { servers: pond({ auth: 'oauth' }) }),
  row('a token in an object', pondFile({ auth: { type: 'bearer', token } }), { servers: pond(bearer) }),
  row('a key of an address', pondFile({ apiKey: token }), { servers: pond(bearer) }),
  row('a key beside a header', pondFile({ token, headers: { Authorization: 'Bearer ${SET}' } }), {
    servers: pond({ headers: { Authorization: 'Bearer ${SET}' } }),
  }),
  row('a bearer token by its variable', pondFile({ bearerTokenEnv: 'SET' }), {
    servers: pond({ headers: { Authorization: 'Bearer ${SET}' } }),
  }),
  row('a program that makes headers', pondFile({ headersHelper: '/opt/headers.sh' }), {
    servers: pond(),
    says: 'headersHelper is not run',
  }),
  row(
    'Open WebUI',
    JSON.stringify([
      {
        type: 'mcp',
        ...address,
        path: '',
        auth_type: 'bearer',
        key: token,
        config: { enable: true },
        info: { id: 'pond' },
      },
      {
        type: 'mcp',
        url: 'https://lake.example.com/mcp',
        auth_type: 'none',
        key: '',
        config: { enable: false },
        info: { id: 'lake' },
      },
    ]),
    { servers: { ...pond(bearer), ...reaches('lake', 'https://lake.example.com/mcp', { disabled: true }) } },
  ),
];

const code: readonly TextRow[] = [
  row(
    'a variable for a header',
    'client = MultiServerMCPClient({"pond": {"url": "https://pond.example.com/mcp", "headers": {"Authorization": AUTH_HEADER}}})',
    { servers: pond({ headers: { Authorization: '${secret:AUTH_HEADER}' } }), asks: ['AUTH_HEADER'] },
  ),
  row(
    'a sum with a variable',
    '{ pond: { url: "https://pond.example.com/mcp", headers: { Authorization: "Bearer " + token } } }',
    { servers: pond(bearer), asks: ['pond token'] },
  ),
  row(
    'a text that is filled',
    'x = {"pond": {"url": "https://pond.example.com/mcp", "headers": {"Authorization": "Bearer {}".format(token)}}}',
    { servers: pond(bearer), asks: ['pond token'] },
  ),
  row(
    'an address and a sum with a variable of the shell',
    "s = MCPServerStreamableHTTP('https://pond.example.com/mcp', headers={'X-Key': 'Key ' + os.environ['SET']})",
    { servers: { example: { ...address, headers: { 'X-Key': 'Key ${SET}' } } } },
  ),
  row('a variable for a variable', js(`${ownJs}, env: { API_KEY: apiKey, LEVEL: "info" }`), {
    servers: kite({ env: { API_KEY: '${secret:KITE_API_KEY}', LEVEL: 'info' } }),
    asks: ['kite API_KEY'],
  }),
  row('a variable under its own name', js(`${ownJs}, env: { KITE_TOKEN, LEVEL: "info" }`), {
    servers: kite({ env: { KITE_TOKEN: '${secret:KITE_TOKEN}', LEVEL: 'info' } }),
    asks: ['KITE_TOKEN'],
  }),
  row(
    'a variable of Python',
    's = StdioServerParameters(command="npx", args=["-y", "kite-mcp"], env={"KITE_TOKEN": settings.kite_token})',
    {
      servers: runs('kite-mcp', 'npx', ['-y', 'kite-mcp'], { env: { KITE_TOKEN: '${secret:KITE_TOKEN}' } }),
      asks: ['KITE_TOKEN'],
    },
  ),
  row('a token without quotes', js(`${ownJs}, env: { KITE_TOKEN: ${token} }`), {
    servers: kite({ env: { KITE_TOKEN: '${secret:KITE_TOKEN}' } }),
  }),
  row('a call for a variable', js(`${ownJs}, env: { KITE_TOKEN: await getToken("kite") }`), {
    servers: kite({ env: { KITE_TOKEN: '${secret:KITE_TOKEN}' } }),
    asks: ['KITE_TOKEN'],
  }),
  row('a path of parts', js('command: "node", args: [path.join(__dirname, "kite.js")]'), {
    servers: runs('kite', 'node', ['typed/kite.js']),
    asks: ['Folder of the program'],
  }),
  row(
    'the path beside a file of Python',
    's = StdioServerParameters(command="python", args=[str(Path(__file__).parent / "kite.py")])',
    { servers: runs('python', 'python', ['typed/kite.py']), asks: ['Folder of the program'] },
  ),
  row(
    'a duration of Python',
    'x = {"pond": {"url": "https://pond.example.com/mcp", "headers": {"X-Team": "blue"}, "timeout": timedelta(seconds=30)}}',
    { servers: pond({ headers: { 'X-Team': 'blue' }, timeout: 30_000 }) },
  ),
  row(
    'functions and types beside',
    js(`${ownJs}, onLog: (line) => console.log(line), timeout: LIMIT as number`),
    {
      servers: kite(),
    },
  ),
  row(
    'a server that the program makes',
    `const c = { mcpServers: { own: ownServer, kite: { ${ownJs} } } };`,
    {
      servers: kite(),
    },
  ),
  row(
    'YAML in braces',
    'mcpServers:\n  pond: {url: "https://pond.example.com/mcp", headers: {X-Team: blue}}',
    {
      servers: pond({ headers: { 'X-Team': 'blue' } }),
    },
  ),
  row(
    'a dictionary with one server',
    'mcp_config = {"pond": {"url": "https://pond.example.com/mcp", "transport": "streamable_http"}}',
    { servers: pond({ type: 'http' }) },
  ),
  row(
    'parameters of parameters',
    `McpToolset(
      connection_params=StdioConnectionParams(server_params=StdioServerParameters(command='npx', args=['-y', 'kite-mcp'])),
      tool_filter=['fly'],
    )`,
    { servers: runs('kite-mcp', 'npx', ['-y', 'kite-mcp'], { patchbay: { enabledTools: ['fly'] } }) },
  ),
  row(
    'parameters beside a name and a filter',
    'MCPServerStdio(name="kite", params={"command": "npx", "args": ["-y", "kite-mcp"]}, cache_tools_list=True, tool_filter=create_static_tool_filter(allowed_tool_names=["fly"]))',
    { servers: kite({ patchbay: { enabledTools: ['fly'] } }) },
  ),
  row(
    'an address with a header of a text about it',
    'https://pond.example.com/mcp with headers={Authorization: AUTH_HEADER}}',
    { servers: { example: address } },
  ),
];

const references: readonly TextRow[] = [
  ...[
    ['1Password', '{{ onepasswordRead "op://v/item/pw" }}'],
    ['a variable', '{{$vars.kite}}'],
    ['a call', "{{ secret('KITE') }}"],
    ['an expression', '={{ $env.KITE }}'],
    ['a mark', 'FIXME'],
  ].map(([what, value]) =>
    row(`a template: ${what}`, kiteFile({ env: { KITE_TOKEN: value } }), {
      servers: kite({ env: { KITE_TOKEN: '${secret:KITE_TOKEN}' } }),
      asks: ['KITE_TOKEN'],
    }),
  ),
  row(
    'tags of YAML',
    'mcpServers:\n  pond:\n    url: https://pond.example.com/mcp\n    headers:\n      Authorization: !secret pond_token\n      X-Key: !env_var SET',
    {
      servers: pond({ headers: { Authorization: '${secret:POND_TOKEN}', 'X-Key': '${SET}' } }),
      asks: ['pond_token'],
    },
  ),
  row(
    'long ids in YAML',
    'mcpServers:\n  kite:\n    command: npx\n    args: ["-y", kite-mcp, 1234567890123456789]\n    env:\n      GUILD: 1122334455667788991',
    {
      servers: runs('kite', 'npx', ['-y', 'kite-mcp', '1234567890123456789'], {
        env: { GUILD: '1122334455667788991' },
      }),
    },
  ),
  row(
    'long ids in TOML',
    '[mcp_servers.kite]\ncommand = "npx"\nargs = ["-y", "kite-mcp"]\n[mcp_servers.kite.env]\nGUILD = 1122334455667788991',
    { servers: kite({ env: { GUILD: '1122334455667788991' } }) },
  ),
  row(
    'merge keys of YAML',
    'x-base: &base\n  command: npx\n  env:\n    LEVEL: info\nmcpServers:\n  kite:\n    <<: *base\n    args: ["-y", "kite-mcp"]',
    { servers: kite({ env: { LEVEL: 'info' } }) },
  ),
  row(
    'a stream of YAML',
    '---\nmcpServers:\n  kite:\n    command: npx\n    args: ["-y", "kite-mcp"]\n---\nmcpServers:\n  pond:\n    url: https://pond.example.com/mcp',
    { servers: { ...kite(), ...pond() } },
  ),
  row('names of variables alone', kiteFile({ env: ['SET', 'A=1'] }), {
    servers: kite({ env: { SET: '${SET}', A: '1' } }),
  }),
];

const switches: readonly TextRow[] = [
  ...[
    ['Gemini CLI', { mcp: { excluded: ['kite'] } }],
    ['Gemini CLI, allowed', { mcp: { allowed: ['pond'], serverCommand: '' } }],
    ['an older Gemini CLI', { excludeMCPServers: ['kite'] }],
    ['an older Gemini CLI, allowed', { allowMCPServers: ['pond'] }],
    ['a project of Claude Code', { disabledMcpServers: ['kite'], enabledMcpjsonServers: [] }],
    ['a file of a project', { disabledMcpjsonServers: ['kite'] }],
  ].map(([what, more]) =>
    row(`off by a list: ${what}`, beside(Object(more)), {
      servers: { ...kite({ disabled: true }), ...pond() },
    }),
  ),
  ...[
    { isEnabled: false },
    { is_active: false },
    { enable: false },
    { status: 'INACTIVE' },
    { state: 'disabled' },
    { anythingllm: { autoStart: false } },
  ].map((more) =>
    row(`off by ${JSON.stringify(more)}`, kiteFile(more), { servers: kite({ disabled: true }) }),
  ),
  row('another state', kiteFile({ status: 'connected' }), { servers: kite({ status: 'connected' }) }),
  row(
    'a block that is off',
    JSON.stringify({ tools: { mcp: { enabled: false, servers: { kite: { enabled: true, ...own } } } } }),
    {
      servers: kite({ disabled: true }),
    },
  ),
  row(
    'tools of opencode',
    JSON.stringify({
      mcp: {
        kite: { type: 'local', command: ['npx', '-y', 'kite-mcp'] },
        pond: { type: 'remote', ...address },
      },
      tools: { 'kite*': false, pond_drain: false, bash: false },
    }),
    {
      servers: {
        ...kite({ type: 'stdio', disabled: true }),
        ...pond({ type: 'http', patchbay: { disabledTools: ['drain'] } }),
      },
    },
  ),
  row(
    'tools of opencode that an agent has',
    JSON.stringify({
      mcp: { pond: { type: 'remote', ...address } },
      tools: { 'pond*': false },
      agent: { fisher: { tools: { 'pond*': true } } },
    }),
    { servers: pond({ type: 'http' }) },
  ),
  row('allowed tools', kiteFile({ allowed: ['fly'] }), {
    servers: kite({ patchbay: { enabledTools: ['fly'] } }),
  }),
  row('suppressed tools', kiteFile({ anythingllm: { suppressedTools: ['dive'] } }), {
    servers: kite({ patchbay: { disabledTools: ['dive'] } }),
  }),
  row(
    'names of tools of an API',
    JSON.stringify({
      tools: [
        {
          type: 'mcp',
          server_label: 'pond',
          server_url: address.url,
          allowed_tools: { tool_names: ['look'] },
        },
      ],
    }),
    {
      servers: pond({ patchbay: { enabledTools: ['look'] } }),
    },
  ),
  row(
    'a set of tools of an API',
    JSON.stringify({
      mcp_servers: [{ type: 'url', ...address, name: 'pond' }],
      tools: [
        {
          type: 'mcp_toolset',
          mcp_server_name: 'pond',
          default_config: { enabled: false },
          configs: { look: { enabled: true } },
        },
      ],
    }),
    {
      servers: pond({ type: 'http', patchbay: { enabledTools: ['look'] } }),
    },
  ),
  row('patterns of tools', kiteFile({ includeTools: ['fly_*', 'land'] }), {
    servers: kite(),
    says: 'patterns of tools (fly_*) are not supported',
  }),
  row(
    'arguments in the field of the address',
    kiteFile({ args: undefined, type: 'stdio', url: '-y kite-mcp', state: 'enabled' }),
    {
      servers: kite({ type: 'stdio' }),
    },
  ),
  row('a limit of tools in seconds', kiteFile({ toolTimeout: 60 }), { servers: kite({ timeout: 60_000 }) }),
  row('a limit of calls in seconds', kiteFile({ tool_call_timeout: 600, initial_timeout: 10 }), {
    servers: kite({ timeout: 600_000 }),
  }),
  row('a limit of requests', kiteFile({ requestTimeout: 60_000 }), { servers: kite({ timeout: 60_000 }) }),
  row('a limit of requests with its unit', kiteFile({ requestTimeout: '30s' }), {
    servers: kite({ timeout: 30_000 }),
  }),
];

const shapes: readonly TextRow[] = [
  ...[
    { apiKey: 'sk-abc', baseUrl: 'https://llm.example.com/v1' },
    { name: 'my-plugin', url: 'https://plugin.example.com' },
    { command: 'claude' },
    { transport: 'sse', port: 8080 },
  ].map((more) =>
    row(`beside the servers: ${Object.keys(more).join(', ')}`, beside(more), {
      servers: { ...kite(), ...pond() },
    }),
  ),
  ...['transport', 'command', 'remote', 'config', 'url', 'tools'].map((name) =>
    row(`a server called ${name}`, JSON.stringify({ mcpServers: { [name]: own, pond: address } }), {
      servers: { [name]: own, ...pond() },
    }),
  ),
  row('one server called transport', JSON.stringify({ mcpServers: { transport: own } }), {
    servers: { transport: own },
  }),
  row('one server called remote', JSON.stringify({ mcpServers: { remote: own } }), {
    servers: { remote: own },
  }),
  row(
    'a transport of one server',
    JSON.stringify({ name: 'pond', transport: { type: 'http', ...address } }),
    {
      servers: pond({ type: 'http' }),
    },
  ),
  row(
    'a gateway of agents',
    `binds:
- port: 3000
  listeners:
  - routes:
    - backends:
      - mcp:
          targets:
          - name: kite
            stdio:
              cmd: npx
              args: ["-y", "kite-mcp"]`,
    { servers: kite() },
  ),
  row(
    'a tool of an agent',
    'name: assistant\ntools:\n  - name: MCPToolset\n    args:\n      stdio_server_params:\n        command: npx\n        args: ["-y", "kite-mcp"]\n      tool_filter: [fly]',
    { servers: runs('kite-mcp', 'npx', ['-y', 'kite-mcp'], { patchbay: { enabledTools: ['fly'] } }) },
  ),
  row(
    'sets of tools of an agent',
    'version: "2"\nagents:\n  root:\n    toolsets:\n      - type: mcp\n        command: kite-mcp\n        args: ["--low", "."]',
    { servers: runs('kite-mcp', 'kite-mcp', ['--low', '.']) },
  ),
  row(
    'a plugin in a list',
    JSON.stringify({ plugins: [{ type: 'mcp-server', source: { url: 'https://git.example.com/a.git' } }] }),
    {
      none: 'No MCP server was found',
    },
  ),
  row(
    'a line of status',
    JSON.stringify({ statusLine: { type: 'command', command: 'npx -y status-line' }, env: { A: '1' } }),
    {
      none: 'No MCP server was found',
    },
  ),
  row(
    'settings of another tool',
    JSON.stringify({
      'lint.connected.servers': [{ serverUrl: 'https://lint.example.com', token }],
      mcp: { servers: { kite: own } },
    }),
    {
      servers: kite(),
    },
  ),
  row(
    'servers of powers',
    JSON.stringify({ mcpServers: { kite: own }, powers: { mcpServers: { pond: address } } }),
    {
      servers: { ...kite(), ...pond() },
    },
  ),
  row(
    'servers of two programs',
    JSON.stringify({
      mcp: { servers: { kite: own } },
      'other.advanced': { mcpServers: [{ name: 'pond', ...address }] },
    }),
    {
      servers: { ...kite(), ...pond() },
    },
  ),
  row(
    'one server of Continue',
    JSON.stringify({
      experimental: { modelContextProtocolServer: { transport: { type: 'sse', ...address } } },
    }),
    {
      servers: { example: { type: 'sse', ...address } },
    },
  ),
  row('a server in its config', JSON.stringify({ model: 'm', servers: [{ type: 'stdio', config: own }] }), {
    servers: runs('kite-mcp', 'npx', ['-y', 'kite-mcp'], { type: 'stdio' }),
  }),
  row(
    'an old entry of the registry',
    JSON.stringify({
      name: 'io.acme/kite',
      packages: [{ registry_name: 'npm', name: 'kite-mcp', version: '1.0.0' }],
    }),
    {
      servers: runs('kite', 'npx', ['-y', 'kite-mcp@1.0.0']),
    },
  ),
];

const languages: readonly TextRow[] = [
  row(
    'a module of Nix',
    '{ pkgs, ... }:\n{ programs.mcp.servers.kite = { command = "npx"; args = [ "-y" "kite-mcp" ]; }; }',
    {
      servers: kite(),
    },
  ),
  row(
    'a program of Nix',
    'mcpServers = { fish = { command = lib.getExe pkgs.fish-mcp; args = [ ]; }; kite = { command = "npx"; args = [ "-y" "kite-mcp" ]; }; };',
    {
      servers: { ...runs('fish', 'typed', []), ...kite() },
      asks: ['fish-mcp'],
    },
  ),
  row('a table of Lua', '-- mine\nmcp = { servers = { ["kite"] = { cmd = { "npx", "-y", "kite-mcp" } } } }', {
    servers: kite(),
  }),
  row(
    'a table of Lua with arguments',
    'servers = { kite = { command = "npx", args = { "-y", "kite-mcp" }, env = { A = os.getenv("SET") } } }',
    {
      servers: kite({ env: { A: '${SET}' } }),
    },
  ),
  row(
    'Emacs Lisp',
    `(setq mcp-hub-servers
      '(("kite" . (:command "npx" :args ("-y" "kite-mcp") :env (:KITE_TOKEN (getenv "SET"))))
        ;; far away
        ("pond" . (:url "https://pond.example.com/mcp"))))`,
    { servers: { ...kite({ env: { KITE_TOKEN: '${SET}' } }), ...pond() } },
  ),
  row('other Lisp', '(defun fly () (message "kite"))', { none: 'No MCP server was found' }),
  row(
    'a systemd unit',
    '[Unit]\nDescription=Kite\n[Service]\nEnvironment=LEVEL=info "NAME=big kite"\nWorkingDirectory=%h/kite\nExecStart=/usr/bin/node /srv/kite/index.js \\\n  --low',
    {
      servers: runs('kite', '/usr/bin/node', ['/srv/kite/index.js', '--low'], {
        env: { LEVEL: 'info', NAME: 'big kite' },
        cwd: '${HOME}/kite',
      }),
    },
  ),
];

const boxed = (args: readonly string[], more: object = {}) =>
  runs('kite', 'docker', ['run', '-i', '--rm', ...args], more);
const secretToken = { env: { KITE_TOKEN: '${secret:KITE_TOKEN}' } };
const opencode = (more: object) =>
  JSON.stringify({
    mcp: {
      kite: { type: 'local', command: ['npx', '-y', 'kite-mcp'] },
      pond: { type: 'remote', ...address },
    },
    ...more,
  });

/** Servers that are containers, and catalogue descriptions of servers. */
const catalogues: readonly TextRow[] = [
  row(
    'a container of a workflow',
    kiteFile({
      command: undefined,
      args: ['--network', 'none'],
      container: 'acme/kite:1',
      entrypointArgs: ['serve'],
      mounts: ['/srv:/data:ro'],
      env: { KITE_TOKEN: '${SET}' },
    }),
    {
      servers: boxed(
        ['--network', 'none', '-v', '/srv:/data:ro', '-e', 'KITE_TOKEN', 'acme/kite:1', 'serve'],
        {
          env: { KITE_TOKEN: '${SET}' },
        },
      ),
    },
  ),
  row(
    'an image with its arguments',
    JSON.stringify({
      name: 'kite',
      image: 'acme/kite:1',
      transport: 'stdio',
      cmd_args: ['serve'],
      env_vars: { LEVEL: 'info' },
      secrets: ['kite,target=KITE_TOKEN'],
    }),
    {
      servers: boxed(['-e', 'LEVEL', '-e', 'KITE_TOKEN', 'acme/kite:1', 'serve'], {
        env: { LEVEL: 'info', KITE_TOKEN: '${secret:KITE_TOKEN}' },
      }),
      asks: ['KITE_TOKEN'],
    },
  ),
  row(
    'an image that serves over HTTP',
    JSON.stringify({
      mcpServers: { kite: { image: 'acme/kite', transport: 'streamable-http' }, pond: address },
    }),
    { servers: pond() },
  ),
  row(
    'a pod',
    'kind: Pod\nmetadata:\n  name: mcp-kite\nspec:\n  containers:\n  - name: mcp-kite\n    image: acme/kite-mcp:1\n',
    {
      none: 'No MCP server was found',
    },
  ),
  row(
    'a catalogue of Docker',
    `version: 3
registry:
  kite:
    type: server
    image: acme/kite@sha256:ab
    icon: https://pictures.example.com/kite
    command: ["--root={{kite.dir}}"]
    volumes: ["{{kite.dir|or:/srv}}:/data"]
    secrets:
      - name: kite.token
        env: KITE_TOKEN
    env:
      - name: LEVEL
        value: info
  pond:
    type: remote
    icon: https://pictures.example.com/pond
    remote:
      transport_type: streamable-http
      url: https://pond.example.com/mcp
      headers:
        Authorization: Bearer \${POND_TOKEN}
    secrets:
      - name: pond.token
        env: POND_TOKEN`,
    {
      servers: {
        ...boxed(
          ['-v', 'typed:/data', '-e', 'KITE_TOKEN', '-e', 'LEVEL', 'acme/kite@sha256:ab', '--root=typed'],
          {
            env: { KITE_TOKEN: '${secret:KITE_TOKEN}', LEVEL: 'info' },
          },
        ),
        ...pond({ type: 'http', headers: { Authorization: 'Bearer ${secret:POND_TOKEN}' } }),
      },
      asks: ['KITE_TOKEN', 'kite.dir', 'POND_TOKEN'],
    },
  ),
  row(
    'a file of the registry of Docker',
    `name: kite
image: acme/kite
type: server
about:
  title: Kite
  icon: https://pictures.example.com/kite
source:
  project: https://code.example.com/acme/kite
config:
  secrets:
    - name: kite.token
      env: KITE_TOKEN
      example: https://kite.example.com`,
    { servers: boxed(['-e', 'KITE_TOKEN', 'acme/kite'], secretToken), asks: ['KITE_TOKEN'] },
  ),
  row(
    'an address of the registry of Docker',
    'name: pond\ntype: remote\nmeta:\n  category: water\nremote:\n  transport_type: sse\n  url: https://pond.example.com/mcp\noauth:\n  - provider: pond',
    { servers: pond({ type: 'sse' }) },
  ),
  row(
    'the registry of mcpm',
    JSON.stringify({
      name: 'kite',
      repository: { url: 'https://code.example.com/acme/kite' },
      arguments: { KITE_TOKEN: { required: true }, DIR: { required: true } },
      installations: {
        docker: { command: 'docker', args: ['run', 'acme/kite'] },
        npm: {
          command: 'npx',
          args: ['-y', 'kite-mcp', '${DIR}'],
          env: { KITE_TOKEN: '${KITE_TOKEN}' },
          recommended: true,
        },
      },
    }),
    {
      servers: runs('kite', 'npx', ['-y', 'kite-mcp', 'typed'], secretToken),
      asks: ['DIR', 'KITE_TOKEN'],
    },
  ),
  row(
    'pictures and keys of a file without servers',
    'icon: https://pictures.example.com/v1/kite\njwks_uri: https://login.example.com/v1/keys\nissuer: https://login.example.com',
    { none: 'No MCP server was found' },
  ),
  row(
    'a list of servers that are allowed',
    JSON.stringify({
      allowedMcpServers: [{ serverName: 'kite' }, { serverUrl: 'https://mcp.example.com/*' }],
      deniedMcpServers: [{ serverUrl: 'https://pond.example.com/mcp' }],
    }),
    { none: 'No MCP server was found' },
  ),
  row(
    'permissions of servers',
    JSON.stringify({
      'amp.mcpPermissions': [{ matches: { url: address.url }, action: 'allow' }],
    }),
    { none: 'No MCP server was found' },
  ),
  row('a pattern of addresses', 'https://*.example.com/mcp', { none: 'an address pattern' }),
];

/** Other names and places for members of an entry. */
const spellings: readonly TextRow[] = [
  row(
    'targets of a gateway',
    `mcp:
  port: 3000
  prefixMode: never
  policies:
    mcpAuthentication:
      jwks:
        url: http://localhost:9000/jwks.json
  targets:
  - name: kite
    stdio:
      cmd: npx
      args: ["-y", "kite-mcp"]
  - name: pond
    mcp:
      host: https://pond.example.com/mcp
  - name: lake
    sse:
      host: lake.example.com
      port: 8080
  - name: sea
    static:
      host: sea.example.com
      port: 443
      path: /v1/mcp
      protocol: StreamableHTTP
  - name: pets
    openapi:
      host: localhost:8080`,
    {
      servers: {
        ...kite(),
        ...pond({ type: 'http' }),
        ...reaches('lake', 'http://lake.example.com:8080/sse', { type: 'sse' }),
        ...reaches('sea', 'https://sea.example.com/v1/mcp', { type: 'http' }),
      },
    },
  ),
  row(
    'servers called as places are',
    JSON.stringify({ mcpServers: { targets: { ...own, host: 'a' }, static: address } }),
    {
      servers: {
        targets: { ...own, host: 'a' },
        static: address,
      },
    },
  ),
  row(
    'tools that are denied',
    opencode({ permission: { bash: 'ask', 'pond_*': 'deny', kite_dive: 'deny' } }),
    {
      servers: {
        ...kite({ type: 'stdio', patchbay: { disabledTools: ['dive'] } }),
        ...pond({ type: 'http', disabled: true }),
      },
    },
  ),
  row(
    'tools that are denied but for an agent',
    opencode({
      permission: { '*': 'ask', 'pond_*': 'deny', bash: { '*': 'deny' } },
      agent: { fisher: { permission: { 'pond_*': 'allow' } } },
    }),
    { servers: { ...kite({ type: 'stdio' }), ...pond({ type: 'http' }) } },
  ),
  row(
    'tools that are denied but for one',
    opencode({
      permission: { 'kite_*': 'deny', kite_fly: 'allow' },
      tools: { 'pond*': false, pond_look: true },
    }),
    {
      servers: {
        ...kite({ type: 'stdio', patchbay: { enabledTools: ['fly'] } }),
        ...pond({ type: 'http', patchbay: { enabledTools: ['look'] } }),
      },
    },
  ),
  row(
    'a key beside headers of another name',
    pondFile({ apiKey: token, customHeaders: { 'X-Team': 'blue' } }),
    {
      servers: pond({ headers: { 'X-Team': 'blue', ...bearer.headers } }),
    },
  ),
  row('a place to listen on', 'name: kite\nmcp:\n  host: 0.0.0.0\n  port: 8000\n', {
    says: 'a server must be an object',
  }),
  row(
    'an example of an address in a sentence',
    'Homepage: https://www.example.com/a\nExample: https://pond.example.com/mcp',
    {
      servers: reaches('example', address.url),
    },
  ),
  row(
    'an image with variables in a list',
    kiteFile({ command: undefined, args: ['serve'], image: 'acme/kite', env: ['A=b', 'SET'] }),
    {
      servers: boxed(['-e', 'A', '-e', 'SET', 'acme/kite', 'serve'], { env: { A: 'b', SET: '${SET}' } }),
    },
  ),
  row(
    'a remote address',
    JSON.stringify([
      {
        name: 'pond',
        serverType: 'remote-streamable',
        remoteUrl: address.url,
        bearerToken: token,
        toolPermissions: { look: true, drain: false },
      },
    ]),
    { servers: pond({ type: 'http', ...bearer, patchbay: { disabledTools: ['drain'] } }) },
  ),
  row('a header beside what it holds', pondFile({ auth_header: 'X-Key', auth_token: token }), {
    servers: pond({ headers: { 'X-Key': '${secret:POND_KEY}' } }),
  }),
  row('a token to be sent', pondFile({ auth_token: token, custom_headers: { 'X-Team': 'blue' } }), {
    servers: pond({ headers: { 'X-Team': 'blue', ...bearer.headers } }),
  }),
  row(
    'a client that was registered with LiteLLM',
    pondFile({ auth_type: 'oauth2', client_id: 'me', client_secret: 'os.environ/SET', scopes: ['read'] }),
    {
      servers: pond({ patchbay: { oauth: { clientId: 'me', clientSecret: '${SET}', scopes: ['read'] } } }),
    },
  ),
  row('scopes alone', pondFile({ scopes: ['read'] }), { servers: pond({ scopes: ['read'] }) }),
  row(
    'a class for a type',
    JSON.stringify({
      provider: 'acme.tools.mcp.Bench',
      config: { server_params: { type: 'StdioServerParams', ...own, read_timeout_seconds: 5 } },
    }),
    {
      servers: runs('kite-mcp', 'npx', ['-y', 'kite-mcp'], {
        type: 'stdio',
        timeout: 5000,
        provider: 'acme.tools.mcp.Bench',
      }),
    },
  ),
  row('a class for a type of address', pondFile({ type: 'StreamableHttpServerParams' }), {
    servers: pond({ type: 'http' }),
  }),
  row('filters of tools', kiteFile({ tool_filters: { allowed: ['fly'], rejected: ['dive'] } }), {
    servers: kite({ patchbay: { enabledTools: ['fly'], disabledTools: ['dive'] } }),
  }),
  row('a limit of calls and one of the start', kiteFile({ toolCallTimeout: 600, initialTimeout: 10 }), {
    servers: kite({ timeout: 600_000 }),
  }),
  row(
    'a part of a program in small letters',
    JSON.stringify({ mcpServers: { kite: own, pic: { type: 'inmemory', command: 'pic' } } }),
    {
      servers: kite(),
      says: 'built into the program',
    },
  ),
  row(
    'tools under names with their server',
    kiteFile({ tools: { 'kite-dive': { enabled: false }, 'kite-fly': { enabled: true } } }),
    { servers: kite({ patchbay: { disabledTools: ['dive'] } }) },
  ),
  row(
    'tools of which one has the name of its server in front',
    kiteFile({ tools: { 'kite-dive': { enabled: false }, fly: { enabled: true } } }),
    { servers: kite({ patchbay: { disabledTools: ['kite-dive'] } }) },
  ),
  row(
    'a filter of Open WebUI',
    JSON.stringify([
      {
        ...address,
        auth_type: 'none',
        config: { enable: true, function_name_filter_list: 'look, !drain' },
        info: { id: 'pond' },
      },
    ]),
    { servers: pond({ patchbay: { enabledTools: ['look'], disabledTools: ['drain'] } }) },
  ),
  row('a label in a list', JSON.stringify([{ label: 'kite', type: 'stdio', ...own }]), {
    servers: kite({ label: 'kite', type: 'stdio' }),
  }),
  row(
    'a plugin with its server inside',
    JSON.stringify({ identifier: 'kite', type: 'custom', params: { mcp: { type: 'stdio', ...own } } }),
    { servers: kite({ type: 'stdio' }) },
  ),
  row(
    'a node of a workflow',
    JSON.stringify({
      nodes: [
        {
          name: 'pond',
          type: 'acme.mcpClientTool',
          parameters: { sseEndpoint: address.url, includeTools: ['look'] },
        },
      ],
    }),
    { servers: pond({ type: 'sse', patchbay: { enabledTools: ['look'] } }) },
  ),
  row(
    'secrets and settings of a workflow',
    kiteFile({
      env: { KITE_TOKEN: '${{ secrets.COPILOT_MCP_KITE_TOKEN }}', LEVEL: '${{ vars.COPILOT_MCP_LEVEL }}' },
    }),
    {
      servers: kite({ env: { KITE_TOKEN: '${secret:KITE_TOKEN}', LEVEL: 'typed' } }),
      asks: ['KITE_TOKEN', 'LEVEL'],
    },
  ),
  row('the output of a command', kiteFile({ env: { KITE_TOKEN: '${cmd: pass show kite}' } }), {
    servers: kite({ env: { KITE_TOKEN: '${secret:KITE_TOKEN}' } }),
    asks: ['KITE_TOKEN'],
  }),
  row('a program of Nix by its package', kiteFile({ command: '${pkgs.nodejs_22}/bin/npx' }), {
    servers: kite(),
  }),
  row(
    'a timeout of digits',
    JSON.stringify({ mcpServers: { kite: { ...own, isActive: true, timeout: '120' } } }),
    {
      servers: kite({ timeout: 120_000 }),
    },
  ),
  row('a file that mcp runs', 'uv run --with mcp[cli] mcp run /srv/kite/server.py', {
    servers: runs('kite', 'uv', ['run', '--with', 'mcp[cli]', 'mcp', 'run', '/srv/kite/server.py']),
  }),
  row('the gateway of Docker', 'docker mcp gateway run --transport stdio', {
    servers: runs('mcp-gateway-run', 'docker', ['mcp', 'gateway', 'run', '--transport', 'stdio']),
  }),
  row(
    'Quarkus, properties',
    '%dev.quarkus.langchain4j.mcp.kite.transport-type=stdio\nquarkus.langchain4j.mcp.pond.transport-type=http\n%dev.quarkus.langchain4j.mcp.kite.command=npx,-y,kite-mcp\nquarkus.langchain4j.mcp.kite.environment.LEVEL=info\nquarkus.langchain4j.mcp.pond.url=https://pond.example.com/mcp',
    { servers: { ...kite({ type: 'stdio', env: { LEVEL: 'info' } }), ...pond({ type: 'http' }) } },
  ),
];

const started = runs('kite-mcp', 'npx', ['-y', 'kite-mcp']);
const startedWith = (env: object) => runs('kite-mcp', 'npx', ['-y', 'kite-mcp'], { env });

/** Programs that start a server with a call. */
const calls: readonly TextRow[] = [
  row(
    'Go',
    'cmd := exec.Command("npx", "-y", "kite-mcp")\ntransport := &mcp.CommandTransport{Command: cmd}',
    { servers: started },
  ),
  row(
    'Go with variables',
    'c, err := client.NewStdioMCPClient("npx", []string{"LEVEL=info"}, "-y", "kite-mcp")',
    { servers: startedWith({ LEVEL: 'info' }) },
  ),
  row(
    'Rust',
    'let c = ().serve(TokioChildProcess::new(Command::new("npx").configure(|cmd| {\n  cmd.arg("-y").args(["kite-mcp"]);\n}))?).await?;',
    { servers: started },
  ),
  row(
    'Java',
    'ServerParameters p = ServerParameters.builder("npx")\n  .args("-y", "kite-mcp")\n  .addEnvVar("KITE_TOKEN", System.getenv("SET"))\n  .build();',
    { servers: startedWith({ KITE_TOKEN: '${SET}' }) },
  ),
  row(
    'Java with a builder',
    'McpTransport t = new StdioMcpTransport.Builder()\n  .command(List.of("npx", "-y", "kite-mcp"))\n  .environment(Map.of("LEVEL", "info"))\n  .build();',
    { servers: startedWith({ LEVEL: 'info' }) },
  ),
  row(
    'Kotlin',
    'val process = ProcessBuilder("npx", "-y", "kite-mcp").start()\nval transport = StdioClientTransport(process)',
    { servers: started },
  ),
];

export const fileRows: readonly TextRow[] = [
  ...keys,
  ...code,
  ...references,
  ...switches,
  ...shapes,
  ...languages,
  ...catalogues,
  ...spellings,
  ...calls,
];
