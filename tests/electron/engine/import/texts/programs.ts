// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import { reaches, row, runs, type TextRow } from './row.ts';

const kite = (more: object = {}) => runs('kite', 'npx', ['-y', 'kite-mcp'], more);
const pond = (more: object = {}) => reaches('pond', 'https://pond.example.com/mcp', more);
const wind = (more: object = {}) => runs('wind', 'uvx', ['wind-mcp'], more);
const cloud = { env: { KITE_TOKEN: '${secret:KITE_TOKEN}' } };

/** Program files, and programs with their servers in code. */
export const programRows: readonly TextRow[] = [
  row(
    'an agent of Claude Code',
    '---\nname: tester\ntools: Read, Bash\nmcpServers:\n  - kite:\n      type: stdio\n      command: npx\n      args: ["-y", "kite-mcp"]\n  - github\n---\n\nYou test.\n',
    { servers: kite({ type: 'stdio' }), says: 'only the name of a server' },
  ),
  row(
    'a list of maps of one',
    '{"mcpServers": [{"wind": {"command": "uvx", "args": ["wind-mcp"]}}, {"pond": {"url": "https://pond.example.com/mcp"}}]}',
    {
      servers: { ...wind(), ...pond() },
    },
  ),
  row(
    'a list of configs without a name',
    '{"servers": [{"config": {"command": "uvx", "args": ["wind-mcp"]}}]}',
    {
      servers: runs('wind-mcp', 'uvx', ['wind-mcp']),
    },
  ),
  row('a list of names', 'mcpServers:\n  - github\n  - kite\n', { says: 'only the name of a server' }),
  row(
    'Spring AI',
    'spring:\n  ai:\n    openai:\n      base-url: https://api.example.com\n    mcp:\n      client:\n        type: SYNC\n        stdio:\n          connections:\n            kite:\n              command: npx\n              args: ["-y", "kite-mcp"]\n        sse:\n          connections:\n            wind:\n              url: https://wind.example.com\n              sse-endpoint: /v1/sse\n        streamable-http:\n          connections:\n            pond:\n              url: https://pond.example.com\n',
    {
      servers: {
        ...kite({ type: 'stdio' }),
        ...reaches('wind', 'https://wind.example.com/v1/sse', { type: 'sse' }),
        ...pond({ type: 'http' }),
      },
    },
  ),
  row(
    'Spring AI, properties',
    'server.port=8080\nspring.ai.mcp.client.stdio.connections.kite.command=npx\nspring.ai.mcp.client.stdio.connections.kite.args=-y,kite-mcp\nspring.ai.mcp.client.stdio.connections.kite.env.KITE_MODE=fast\nspring.ai.mcp.client.streamable-http.connections.pond.url=https://pond.example.com\nspring.ai.mcp.client.streamable-http.connections.pond.endpoint=/mcp\n',
    {
      servers: { ...kite({ type: 'stdio', env: { KITE_MODE: 'fast' } }), ...pond({ type: 'http' }) },
    },
  ),
  row(
    'Spring AI, numbered properties',
    'spring.ai.mcp.client.stdio.connections.kite.command = npx\nspring.ai.mcp.client.stdio.connections.kite.args[0] = -y\nspring.ai.mcp.client.stdio.connections.kite.args[1] = kite-mcp',
    { servers: kite({ type: 'stdio' }) },
  ),
  row(
    'Spring AI, a name that is a path',
    'spring.ai.mcp.client.stdio.connections.kite:\n  command: npx\n  args: [-y, kite-mcp]\n',
    { servers: kite({ type: 'stdio' }) },
  ),
  row(
    'C#',
    'var transport = new StdioClientTransport(new StdioClientTransportOptions\n{\n    Name = "kite",\n    Command = "npx",\n    Arguments = ["-y", "kite-mcp"],\n});\n',
    { servers: kite() },
  ),
  row(
    'C#, older',
    'var transport = new StdioClientTransport(new()\n{\n    Name = "kite",\n    Command = "npx",\n    Arguments = new[] { "-y", "kite-mcp" },\n    EnvironmentVariables = new Dictionary<string, string?> { ["KITE_TOKEN"] = Environment.GetEnvironmentVariable("SET") },\n    ShutdownTimeout = TimeSpan.FromSeconds(5),\n});\n',
    { servers: kite({ env: { KITE_TOKEN: '${SET}' } }) },
  ),
  row(
    'C#, remote',
    'var transport = new HttpClientTransport(new HttpClientTransportOptions\n{\n    Name = "pond",\n    Endpoint = new Uri("https://pond.example.com/mcp"),\n    TransportMode = HttpTransportMode.StreamableHttp,\n    AdditionalHeaders = new Dictionary<string, string> { { "X-Region", "eu" } },\n});\n',
    { servers: pond({ type: 'http', headers: { 'X-Region': 'eu' } }) },
  ),
  row(
    'Claude Desktop with other settings',
    '{"globalShortcut": "Alt+Space", "preferences": {"menuBarEnabled": false}, "mcpServers": {"kite": {"command": "npx", "args": ["-y", "kite-mcp"]}}}',
    { servers: kite() },
  ),
  row(
    'Claude Code, servers of a project beside those of the person',
    '{"numStartups": 3, "projects": {"/home/ann/work": {"allowedTools": [], "mcpServers": {"kite": {"command": "npx", "args": ["-y", "kite-mcp"]}}}}, "mcpServers": {"pond": {"type": "http", "url": "https://pond.example.com/mcp"}}}',
    { servers: { ...kite(), ...pond({ type: 'http' }) } },
  ),
  row(
    'Claude Code, a plugin',
    '{"mcpServers": {"kite": {"command": "${CLAUDE_PLUGIN_ROOT}/bin/kite", "args": ["--stdio"]}}}',
    {
      servers: runs('kite', 'typed/bin/kite', ['--stdio']),
      asks: ['Program folder'],
    },
  ),
  row(
    'Claude Code, a default of a variable in an address',
    '{"mcpServers": {"pond": {"type": "http", "url": "${POND_BASE:-https://pond.example.com}/mcp", "headers": {"Authorization": "Bearer ${SET}"}}}}',
    {
      servers: {
        pond: {
          type: 'http',
          url: '${POND_BASE:-https://pond.example.com}/mcp',
          headers: { Authorization: 'Bearer ${SET}' },
        },
      },
    },
  ),
  row(
    'VS Code, an input that is a choice',
    '{"inputs": [{"type": "pickString", "id": "mode", "description": "Mode", "options": ["fast", "slow"], "default": "fast"}], "servers": {"kite": {"type": "stdio", "command": "npx", "args": ["-y", "kite-mcp", "--mode", "${input:mode}"]}}}',
    {
      servers: runs('kite', 'npx', ['-y', 'kite-mcp', '--mode', 'typed'], { type: 'stdio' }),
      asks: ['mode'],
    },
  ),
  row(
    'VS Code with development mode',
    '{"servers": {"kite": {"type": "stdio", "command": "npx", "args": ["-y", "kite-mcp"], "dev": {"watch": "src/**/*.ts", "debug": {"type": "node"}}}}}',
    { servers: kite({ type: 'stdio', dev: { watch: 'src/**/*.ts', debug: { type: 'node' } } }) },
  ),
  row(
    'Visual Studio with an env file',
    '{"servers": {"kite": {"command": "npx", "args": ["-y", "kite-mcp"], "envFile": "/srv/kite.env"}}}',
    { servers: kite({ envFile: '/srv/kite.env' }) },
  ),
  row(
    'Cline with its settings',
    '{"mcpServers": {"pond": {"type": "streamableHttp", "url": "https://pond.example.com/mcp", "disabled": false, "autoApprove": ["look"], "timeout": 1800}}}',
    {
      servers: pond({ type: 'http', disabled: false, autoApprove: ['look'], timeout: 1_800_000 }),
      says: '1800 seconds',
    },
  ),
  row(
    'Cline settings of VS Code',
    '{"cline.mcpServers": {"kite": {"command": "npx", "args": ["-y", "kite-mcp"]}}}',
    { servers: kite() },
  ),
  row(
    'Roo Code over HTTP',
    '{"mcpServers": {"pond": {"type": "streamable-http", "url": "https://pond.example.com/mcp", "alwaysAllow": [], "disabled": false, "timeout": 60}}}',
    { servers: pond({ type: 'http', alwaysAllow: [], disabled: false, timeout: 60_000 }) },
  ),
  row(
    'Windsurf with switched off tools',
    '{"mcpServers": {"pond": {"serverUrl": "https://pond.example.com/mcp", "disabledTools": ["drain"], "disabled": false}}}',
    { servers: pond({ disabled: false, patchbay: { disabledTools: ['drain'] } }) },
  ),
  row(
    'Windsurf, variables in headers',
    '{"mcpServers": {"pond": {"serverUrl": "https://pond.example.com/mcp", "headers": {"API_KEY": "Bearer ${env:SET}"}}}}',
    { servers: pond({ headers: { API_KEY: 'Bearer ${env:SET}' } }) },
  ),
  row(
    'Zed with settings of an extension',
    '{"context_servers": {"kite": {"source": "custom", "enabled": true, "command": "npx", "args": ["-y", "kite-mcp"], "env": {}}}, "theme": "One Dark"}',
    { servers: kite({ source: 'custom', env: {} }) },
  ),
  row('Zed, remote', '"context_servers": {"pond": {"url": "https://pond.example.com/mcp", "headers": {}}}', {
    servers: pond({ headers: {} }),
  }),
  row(
    'Zed, an extension',
    '{"context_servers": {"mcp-server-kite": {"source": "extension", "enabled": true, "settings": {"kite_key": "x"}}}}',
    { says: 'Zed extension' },
  ),
  row(
    'opencode with comments',
    '{\n  "$schema": "https://opencode.ai/config.json",\n  // mine\n  "mcp": {\n    "kite": {\n      "type": "local",\n      "command": ["npx", "-y", "kite-mcp"],\n      "enabled": true,\n      "environment": { "KITE_TOKEN": "{env:KITE_TOKEN}" },\n    },\n  },\n}',
    { servers: kite({ type: 'stdio', env: { KITE_TOKEN: '${KITE_TOKEN}' } }) },
  ),
  row(
    'opencode with a sign-in',
    '{"mcp": {"pond": {"type": "remote", "url": "https://pond.example.com/mcp", "oauth": {}, "enabled": true, "timeout": 5000}}}',
    { servers: pond({ type: 'http', oauth: {}, timeout: 5000 }) },
  ),
  row(
    'Crush with a mode',
    '{"$schema": "https://charm.land/crush.json", "mcp": {"pond": {"type": "http", "url": "https://pond.example.com/mcp", "timeout": 120, "disabled": false, "disabled_tools": ["drain"], "headers": {"Authorization": "Bearer $SET"}}}}',
    {
      servers: pond({
        type: 'http',
        timeout: 120_000,
        disabled: false,
        headers: { Authorization: 'Bearer $SET' },
        patchbay: { disabledTools: ['drain'] },
      }),
    },
  ),
  row(
    'Codex with comments and limits',
    '# ~/.codex/config.toml\nmodel = "o9"\n\n[mcp_servers.kite]\ncommand = "npx"\nargs = ["-y", "kite-mcp"]\nstartup_timeout_sec = 20\ntool_timeout_sec = 90\n\n[mcp_servers.kite.env]\nKITE_MODE = "fast"\n\n[profiles.deep]\nmodel = "o9-pro"\n',
    { servers: kite({ timeout: 90_000, env: { KITE_MODE: 'fast' } }) },
  ),
  row(
    'Codex on Windows',
    '[mcp_servers.kite]\ncommand = \'C:\\Program Files\\nodejs\\npx.cmd\'\nargs = ["-y", "kite-mcp"]\ncwd = "C:\\\\work"\nenv = { SystemRoot = \'C:\\Windows\' }',
    {
      servers: runs('kite', 'C:\\Program Files\\nodejs\\npx.cmd', ['-y', 'kite-mcp'], {
        cwd: 'C:\\work',
        env: { SystemRoot: 'C:\\Windows' },
      }),
    },
  ),
  row(
    'Codex, remote with headers of variables',
    '[mcp_servers.pond]\nurl = "https://pond.example.com/mcp"\nbearer_token_env_var = "SET"\n[mcp_servers.pond.http_headers]\nX-Region = "eu"\n[mcp_servers.pond.env_http_headers]\nX-Org = "SET"',
    {
      servers: pond({ headers: { 'X-Region': 'eu', 'X-Org': '${SET}', Authorization: 'Bearer ${SET}' } }),
    },
  ),
  row(
    'Mistral Vibe',
    '[[mcp_servers]]\nname = "kite"\ntransport = "stdio"\ncommand = "npx"\nargs = ["-y", "kite-mcp"]\n\n[[mcp_servers]]\nname = "pond"\ntransport = "streamable-http"\nurl = "https://pond.example.com/mcp"\nheaders = { "X-Region" = "eu" }\n',
    {
      servers: { ...kite({ type: 'stdio' }), ...pond({ type: 'http', headers: { 'X-Region': 'eu' } }) },
    },
  ),
  row(
    'Gemini CLI with everything',
    '{"mcp": {"allowed": ["kite"]}, "mcpServers": {"kite": {"command": "npx", "args": ["-y", "kite-mcp"], "env": {"KITE_TOKEN": "$KITE_TOKEN"}, "cwd": "/srv", "timeout": 30000, "trust": false, "includeTools": ["fly"]}}}',
    {
      servers: kite({
        env: { KITE_TOKEN: '$KITE_TOKEN' },
        cwd: '/srv',
        timeout: 30_000,
        trust: false,
        patchbay: { enabledTools: ['fly'] },
      }),
    },
  ),
  row(
    'Qwen Code over HTTP',
    '{"mcpServers": {"pond": {"httpUrl": "https://pond.example.com/mcp", "headers": {"X-Region": "eu"}, "timeout": 10000}}}',
    { servers: pond({ type: 'http', headers: { 'X-Region': 'eu' }, timeout: 10_000 }) },
  ),
  row(
    'Amazon Q, an agent',
    '{"name": "helper", "description": "d", "mcpServers": {"kite": {"command": "npx", "args": ["-y", "kite-mcp"], "timeout": 120000, "disabled": false}}, "tools": ["*"], "allowedTools": ["@kite"], "useLegacyMcpJson": true}',
    { servers: kite({ timeout: 120_000, disabled: false }) },
  ),
  row(
    'Kiro with approvals',
    '{"mcpServers": {"wind": {"command": "uvx", "args": ["wind-mcp"], "env": {"FASTMCP_LOG_LEVEL": "ERROR"}, "disabled": false, "autoApprove": [], "disabledTools": ["storm"]}}}',
    {
      servers: wind({
        env: { FASTMCP_LOG_LEVEL: 'ERROR' },
        disabled: false,
        autoApprove: [],
        patchbay: { disabledTools: ['storm'] },
      }),
    },
  ),
  row(
    'Warp',
    '{"kite": {"command": "npx", "args": ["-y", "kite-mcp"], "env": {}, "working_directory": null, "start_on_launch": true}}',
    { servers: kite({ env: {}, start_on_launch: true }) },
  ),
  row(
    'Warp, several',
    '{"mcpServers": {"kite": {"command": "npx", "args": ["-y", "kite-mcp"], "working_directory": "/srv"}, "pond": {"serverUrl": "https://pond.example.com/mcp"}}}',
    { servers: { ...kite({ cwd: '/srv' }), ...pond() } },
  ),
  row(
    'JetBrains',
    '{"mcpServers": {"kite": {"command": "npx", "args": ["-y", "kite-mcp"], "env": {}, "workingDirectory": ""}}}',
    { servers: kite({ env: {} }) },
  ),
  row(
    'JetBrains, a name in Chinese',
    '{"mcpServers": {"风筝": {"command": "npx", "args": ["-y", "kite-mcp"]}}}',
    { servers: { 风筝: { command: 'npx', args: ['-y', 'kite-mcp'] } } },
  ),
  row(
    'LM Studio',
    '{"mcpServers": {"pond": {"url": "https://pond.example.com/mcp", "headers": {"Authorization": "Bearer <YOUR_POND_TOKEN>"}}}}',
    {
      servers: pond({ headers: { Authorization: 'Bearer ${secret:POND_TOKEN}' } }),
      asks: ['POND_TOKEN'],
    },
  ),
  row(
    'LibreChat',
    'version: 1.2.1\nmcpServers:\n  kite:\n    type: stdio\n    command: npx\n    args:\n      - -y\n      - kite-mcp\n    timeout: 60000\n    initTimeout: 10000\n  pond:\n    type: streamable-http\n    url: https://pond.example.com/mcp\n    headers:\n      X-User: "{{LIBRECHAT_USER_ID}}"\n',
    {
      servers: {
        ...kite({ type: 'stdio', timeout: 60_000 }),
        ...pond({ type: 'http', headers: { 'X-User': 'typed' } }),
      },
      asks: ['LIBRECHAT_USER_ID'],
    },
  ),
  row(
    'Continue, a block',
    'name: Kite\nversion: 0.0.1\nschema: v1\nmcpServers:\n  - name: kite\n    command: npx\n    args:\n      - -y\n      - kite-mcp\n    env:\n      KITE_TOKEN: ${{ secrets.KITE_TOKEN }}\n',
    { servers: kite(cloud), asks: ['KITE_TOKEN'] },
  ),
  row(
    'Continue, remote with a key',
    'mcpServers:\n  - name: pond\n    type: streamable-http\n    url: https://pond.example.com/mcp\n    requestOptions:\n      headers:\n        X-Region: eu\n',
    { servers: pond({ type: 'http', headers: { 'X-Region': 'eu' } }) },
  ),
  row(
    'mcp-agent',
    'execution_engine: asyncio\nmcp:\n  servers:\n    kite:\n      command: "npx"\n      args: ["-y", "kite-mcp"]\n    wind:\n      command: uvx\n      args: [wind-mcp]\nopenai:\n  default_model: o9\n',
    { servers: { ...kite(), ...wind() } },
  ),
  row(
    'goose as it writes it',
    'GOOSE_PROVIDER: openai\nextensions:\n  kite:\n    args:\n    - -y\n    - kite-mcp\n    bundled: null\n    cmd: npx\n    description: Kites\n    enabled: true\n    env_keys:\n    - SET\n    envs: {}\n    name: Kite\n    timeout: 300\n    type: stdio\n  memory:\n    bundled: true\n    display_name: Memory\n    enabled: true\n    name: memory\n    timeout: 300\n    type: builtin\n',
    {
      servers: kite({ type: 'stdio', timeout: 300_000, env: { SET: '${secret:SET}' } }),
      asks: ['SET'],
      says: 'built into the program',
    },
  ),
  row(
    'a GitHub agent',
    '{"mcpServers": {"kite": {"type": "local", "command": "npx", "args": ["-y", "kite-mcp"], "tools": ["*"], "env": {"KITE_TOKEN": "COPILOT_MCP_KITE_TOKEN"}}}}',
    { servers: kite({ type: 'stdio', ...cloud }), asks: ['KITE_TOKEN'] },
  ),
  row(
    'a GitHub agent with a reference',
    '{"mcpServers": {"pond": {"type": "http", "url": "https://pond.example.com/mcp", "tools": ["look"], "headers": {"Authorization": "Bearer $COPILOT_MCP_POND_TOKEN"}}}}',
    {
      servers: pond({
        type: 'http',
        headers: { Authorization: 'Bearer ${secret:POND_TOKEN}' },
        patchbay: { enabledTools: ['look'] },
      }),
      asks: ['POND_TOKEN'],
    },
  ),
  row(
    'the front matter of an agent',
    '---\nname: flyer\ndescription: Flies kites\nmcp-servers:\n  kite:\n    type: local\n    command: npx\n    args: ["-y", "kite-mcp"]\n---\n\nYou fly kites.\n',
    { servers: kite({ type: 'stdio' }) },
  ),
  row(
    'a tool of a desktop that lists servers',
    '{"servers": [{"id": "a1", "name": "kite", "transport": {"type": "stdio", "command": "npx", "args": ["-y", "kite-mcp"]}, "enabled": true}, {"id": "a2", "name": "pond", "transport": {"type": "sse", "url": "https://pond.example.com/mcp"}, "enabled": false}]}',
    {
      servers: {
        ...kite({ id: 'a1', type: 'stdio' }),
        ...pond({ id: 'a2', type: 'sse', disabled: true }),
      },
    },
  ),
  row(
    'a gateway with a bearer token',
    '{"name": "pond", "transport": "streamable_http", "description": "Ponds", "url": "https://pond.example.com/mcp", "bearer_token": "<your token>"}',
    {
      servers: pond({
        type: 'http',
        description: 'Ponds',
        headers: { Authorization: 'Bearer ${secret:POND_TOKEN}' },
      }),
      asks: ['pond token'],
    },
  ),
  row('a ChatGPT server', '{"servers": {"pond": {"type": "url", "url": "https://pond.example.com/mcp"}}}', {
    servers: pond({ type: 'http' }),
  }),
  row(
    'Raycast',
    '{"name": "kite", "type": "stdio", "command": "npx", "args": ["-y", "kite-mcp"], "env": {"KITE_MODE": "fast"}}',
    { servers: kite({ type: 'stdio', env: { KITE_MODE: 'fast' } }) },
  ),
  row(
    'a manifest of an extension of Gemini',
    '{"name": "kites", "version": "1.0.0", "contextFileName": "GEMINI.md", "mcpServers": {"kite": {"command": "node", "args": ["${extensionPath}${/}dist${/}index.js"], "cwd": "${extensionPath}"}}}',
    {
      servers: runs('kite', 'node', ['typed/dist/index.js'], { cwd: 'typed' }),
      asks: ['Program folder'],
    },
  ),
  row(
    'Hermes with headers',
    'mcp_servers:\n  pond:\n    url: "https://pond.example.com/mcp"\n    headers:\n      Authorization: "Bearer ${SET}"\n    timeout: 180\n    connect_timeout: 60\n    tools:\n      include: [look]\n',
    {
      servers: pond({
        headers: { Authorization: 'Bearer ${SET}' },
        timeout: 180_000,
        patchbay: { enabledTools: ['look'] },
      }),
    },
  ),
  row(
    'OpenClaw',
    '{"mcp": {"servers": {"pond": {"url": "https://pond.example.com/mcp", "transport": "streamable-http"}, "kite": {"command": "npx", "args": ["-y", "kite-mcp"]}}}}',
    { servers: { ...pond({ type: 'http' }), ...kite() } },
  ),
  row(
    'settings of Amp with a bundle of others',
    '{\n  "amp.notifications.enabled": true,\n  "amp.mcpServers": {\n    "pond": { "url": "https://pond.example.com/mcp", "includeTools": ["look_*"] }\n  }\n}',
    { servers: pond(), says: 'patterns of tools (look_*) are not supported' },
  ),
  row(
    'Junie',
    '{"mcpServers": {"kite": {"command": "npx", "args": ["-y", "kite-mcp"], "enabled": "true"}}}',
    { servers: kite() },
  ),
  row('Augment', '[{"name": "kite", "command": "npx -y kite-mcp"}]', {
    servers: kite(),
  }),
  row(
    'Qodo',
    '{"kite": {"command": "npx", "args": ["-y", "kite-mcp"]}, "pond": {"type": "streamable-http", "url": "https://pond.example.com/mcp"}}',
    { servers: { ...kite(), ...pond({ type: 'http' }) } },
  ),
  row(
    'BoltAI with a header as a list',
    '{"mcpServers": {"pond": {"url": "https://pond.example.com/mcp", "headers": [{"key": "X-Region", "value": "eu"}]}}}',
    { servers: pond({ headers: { 'X-Region': 'eu' } }) },
  ),
  row(
    'an export with flags',
    '{"mcpServers": {"kite": {"command": "npx", "args": ["-y", "kite-mcp"], "isActive": "false", "registryUrl": "", "installSource": "manual"}}}',
    { servers: kite({ registryUrl: '', installSource: 'manual', disabled: true }) },
  ),
  // Servers in program code.
  row(
    'LangChain',
    'client = MultiServerMCPClient(\n    {\n        "wind": {\n            "command": "uvx",\n            # the package\n            "args": ["wind-mcp"],\n            "transport": "stdio",\n        },\n        "pond": {\n            "url": "https://pond.example.com/mcp",\n            "transport": "streamable_http",\n        },\n    }\n)\ntools = await client.get_tools()\n',
    { servers: { ...wind({ type: 'stdio' }), ...pond({ type: 'http' }) } },
  ),
  row(
    'Google ADK',
    'toolset = McpToolset(\n    connection_params=StdioConnectionParams(\n        server_params=StdioServerParameters(\n            command="npx",\n            args=["-y", "kite-mcp"],\n            env={"KITE_TOKEN": os.getenv("KITE_TOKEN")},\n        ),\n        timeout=30,\n    ),\n)\n',
    { servers: runs('kite-mcp', 'npx', ['-y', 'kite-mcp'], { env: { KITE_TOKEN: '${KITE_TOKEN}' } }) },
  ),
  row(
    'OpenAI Agents',
    'async with MCPServerStdio(\n    name="kite",\n    params={\n        "command": "npx",\n        "args": ["-y", "kite-mcp"],\n    },\n) as server:\n    agent = Agent(name="a", mcp_servers=[server])\n',
    { servers: kite() },
  ),
  row(
    'Pydantic AI',
    "from pydantic_ai.mcp import MCPServerStdio\n\nserver = MCPServerStdio('uvx', args=['wind-mcp'], timeout=10)\nagent = Agent('openai:o9', toolsets=[server])\n",
    { servers: runs('wind-mcp', 'uvx', ['wind-mcp'], { timeout: 10_000 }) },
  ),
  row(
    'Pydantic AI, remote',
    "server = MCPServerStreamableHTTP('https://pond.example.com/mcp')\nagent = Agent('openai:o9', toolsets=[server])",
    { servers: reaches('example', 'https://pond.example.com/mcp') },
  ),
  row(
    'the AI SDK',
    "const client = await createMCPClient({\n  transport: new StdioClientTransport({\n    command: 'npx',\n    args: ['-y', 'kite-mcp'],\n  }),\n});\n",
    { servers: runs('kite-mcp', 'npx', ['-y', 'kite-mcp']) },
  ),
  row(
    'the AI SDK, remote',
    "const client = await createMCPClient({\n  transport: {\n    type: 'http',\n    url: 'https://pond.example.com/mcp',\n    headers: { 'X-Region': 'eu' },\n  },\n});\n",
    {
      servers: reaches('example', 'https://pond.example.com/mcp', {
        type: 'http',
        headers: { 'X-Region': 'eu' },
      }),
    },
  ),
  row(
    'Mastra',
    "export const mcp = new MCPClient({\n  servers: {\n    kite: { command: 'npx', args: ['-y', 'kite-mcp'], env: { KITE_TOKEN: process.env.KITE_TOKEN! } },\n    pond: { url: new URL('https://pond.example.com/mcp') },\n  },\n});\n",
    { servers: { ...kite({ env: { KITE_TOKEN: '${KITE_TOKEN}' } }), ...pond() } },
  ),
  row(
    'the Claude Agent SDK',
    'for await (const message of query({\n  prompt: "Fly",\n  options: {\n    mcpServers: {\n      kite: { command: "npx", args: ["-y", "kite-mcp"] },\n      pond: { type: "http", url: "https://pond.example.com/mcp", headers: { "X-Region": "eu" } },\n    },\n    allowedTools: ["mcp__kite__fly"],\n  },\n})) console.log(message);\n',
    { servers: { ...kite(), ...pond({ type: 'http', headers: { 'X-Region': 'eu' } }) } },
  ),
  row(
    'CrewAI',
    'server_params = [\n    StdioServerParameters(command="uvx", args=["wind-mcp"], env={"WIND_MODE": "calm", **os.environ}),\n    {"url": "https://pond.example.com/mcp", "transport": "streamable-http"},\n]\n',
    {
      servers: {
        ...reaches('example', 'https://pond.example.com/mcp', { type: 'http' }),
        ...runs('wind-mcp', 'uvx', ['wind-mcp'], { env: { WIND_MODE: 'calm' } }),
      },
    },
  ),
  row(
    'a request to OpenAI by curl',
    'curl https://api.openai.com/v1/responses \\\n  -H "Authorization: Bearer $OPENAI_API_KEY" \\\n  -d \'{\n    "model": "o9",\n    "tools": [{"type": "mcp", "server_label": "pond", "server_url": "https://pond.example.com/mcp", "require_approval": "never"}],\n    "input": "Hi"\n  }\'',
    { servers: pond() },
  ),
  row(
    'FastMCP settings',
    '{"$schema": "https://gofastmcp.com/public/schemas/fastmcp.json/v1.json", "source": {"path": "server.py", "entrypoint": "mcp"}}',
    { none: 'No MCP server' },
  ),
  row(
    'a package of npm',
    '{"name": "kite-mcp", "version": "1.0.0", "bin": {"kite-mcp": "dist/index.js"}, "scripts": {"start": "node dist/index.js"}}',
    { none: 'package.json' },
  ),
  row(
    'a compose file',
    'services:\n  kite:\n    image: ghcr.io/acme/kite-mcp\n    ports:\n      - "8080:8080"\n    command: ["serve"]\n',
    { none: 'Compose' },
  ),
  row(
    'a type that does not fit',
    '{"mcpServers": {"pond": {"type": "stdio", "url": "https://pond.example.com/mcp"}}}',
    { servers: pond(), says: 'type stdio was ignored' },
  ),
  row(
    'a placeholder between braces',
    '{"mcpServers": {"kite": {"command": "npx", "args": ["-y", "kite-mcp"], "env": {"KITE_TOKEN": "{YOUR_TOKEN}", "SHAPE": "{plain}"}}}}',
    {
      servers: kite({ env: { KITE_TOKEN: '${secret:KITE_TOKEN}', SHAPE: '{plain}' } }),
      asks: ['KITE_TOKEN'],
    },
  ),
  row(
    'Cline, one of several without its marks',
    '{"mcpServers": {"kite": {"command": "npx", "args": ["-y", "kite-mcp"], "autoApprove": []}, "pond": {"url": "https://pond.example.com/mcp", "timeout": 3600}}}',
    { servers: { ...kite({ autoApprove: [] }), ...pond({ timeout: 3_600_000 }) }, says: '3600 seconds' },
  ),
  row(
    'no questions about tools',
    '{"mcpServers": {"kite": {"command": "npx", "args": ["-y", "kite-mcp"], "patchbay": {"guard": "off"}}}}',
    { servers: kite({ patchbay: { guard: 'off' } }), says: 'turns off the review' },
  ),
  row(
    'Cursor with a client to be registered',
    '{"mcpServers": {"pond": {"url": "https://pond.example.com/mcp", "auth": {"CLIENT_ID": "<your client id>", "CLIENT_SECRET": "<your client secret>"}}}}',
    {
      servers: pond({
        patchbay: { oauth: { clientId: 'typed', clientSecret: '${secret:CLIENT_SECRET}' } },
      }),
      asks: ['client id', 'client secret'],
    },
  ),
  row(
    'Mistral Vibe with its key',
    '[[mcp_servers]]\nname = "pond"\ntransport = "streamable-http"\nurl = "https://pond.example.com/mcp"\napi_key_env = "SET"\napi_key_header = "X-Api-Key"\napi_key_format = "{token}"',
    { servers: pond({ type: 'http', headers: { 'X-Api-Key': '${SET}' } }) },
  ),
  row(
    'OpenHands with its key',
    '[mcp]\nshttp_servers = [{url="https://pond.example.com/mcp", api_key="YOUR_KEY"}]',
    {
      servers: reaches('example', 'https://pond.example.com/mcp', {
        headers: { Authorization: 'Bearer ${secret:KEY}' },
      }),
      asks: ['KEY'],
    },
  ),
  row(
    'goose as its own instructions have it',
    'extensions:\n  kite:\n    cmd: npx\n    args: [-y kite-mcp]\n    enabled: true\n    type: stdio',
    { servers: kite({ type: 'stdio' }) },
  ),
  row(
    'YAML with what needs quotes',
    'mcpServers:\n  tools:\n    command: npx\n    args: [-y, @acme/tools]\n    env:\n      KITE_TOKEN: ******',
    { servers: runs('tools', 'npx', ['-y', '@acme/tools'], cloud), asks: ['KITE_TOKEN'] },
  ),
  ...[
    { enabledToolsList: ['fly'] },
    { allow_list: ['fly'] },
    { whitelist: ['fly'] },
    { includedTools: 'fly' },
    { selectedTools: ['fly'] },
    { tool_names: ['fly'] },
    { only: ['fly'] },
    { filter: { tools: ['fly'] } },
    { settings: { enabledTools: ['fly'] } },
    { options: { allowed_tools: ['fly'] } },
    { default_tools_enabled: false, tools: { fly: { enabled: true }, drop: {} } },
    { tools: [{ name: 'fly' }, { name: '*', enabled: false }] },
  ].map((more) =>
    row(`the only tools, as ${JSON.stringify(more)}`, JSON.stringify({ mcpServers: kite(more) }), {
      servers: kite({ patchbay: { enabledTools: ['fly'] } }),
    }),
  ),
  ...[
    { excluded_tools: ['drop'] },
    { denyTools: ['drop'] },
    { blocklist: ['drop'] },
    { 'hidden-tools': ['drop'] },
    { filters: { exclude: ['drop'] } },
    { tools: [{ name: 'fly' }, { name: 'drop', enabled: false }] },
    { settings: { blacklist: ['drop'] } },
  ].map((more) =>
    row(
      `tools that may not be called, as ${JSON.stringify(more)}`,
      JSON.stringify({ mcpServers: kite(more) }),
      { servers: kite({ patchbay: { disabledTools: ['drop'] } }) },
    ),
  ),
  row(
    'no tool at all',
    '{"mcpServers": {"kite": {"command": "npx", "args": ["-y", "kite-mcp"], "default_tools_enabled": false}}}',
    { servers: kite({ disabled: true }) },
  ),
  row(
    'a server that is off in its settings',
    '{"mcpServers": {"kite": {"command": "npx", "args": ["-y", "kite-mcp"], "settings": {"disabled": true}}}}',
    { servers: kite({ disabled: true }) },
  ),
  ...[
    { requestTimeout: 30 },
    { toolCallTimeout: 30_000 },
    { timeoutInSeconds: 30 },
    { client_session_timeout_seconds: 30 },
    { request_timeout_ms: 30_000 },
    { callTimeout: '30 s' },
  ].map((more) =>
    row(`half a minute, as ${JSON.stringify(more)}`, JSON.stringify({ mcpServers: kite(more) }), {
      servers: kite({ timeout: 30_000 }),
    }),
  ),
];
