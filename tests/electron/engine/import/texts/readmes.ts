// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import { base64, escaped, reaches, row, runs, type TextRow } from './row.ts';

const npx = { command: 'npx', args: ['-y', 'kite-mcp'] };
const kite = (more: object = {}) => runs('kite', 'npx', ['-y', 'kite-mcp'], more);
const pond = (more: object = {}) => reaches('pond', 'https://pond.example.com/mcp', more);
const address = 'https://pond.example.com/mcp';
const block = (value: unknown, language = 'json') =>
  `\`\`\`${language}\n${JSON.stringify(value, undefined, 2)}\n\`\`\``;
const badge = (title: string, link: string) =>
  `[![${title}](https://img.shields.io/badge/${encodeURIComponent(title)}-0098FF?style=flat-square)](${link})`;
const cursor = (name: string, config: unknown) =>
  `https://cursor.com/en/install-mcp?name=${encodeURIComponent(name)}&config=${encodeURIComponent(base64(config))}`;
const vscode = (name: string, config: unknown, more = '') =>
  `https://insiders.vscode.dev/redirect/mcp/install?name=${encodeURIComponent(name)}&config=${escaped(config)}${more}`;

/** Whole instructions, and pieces of them as people copy them. */
export const readmeRows: readonly TextRow[] = [
  row(
    'a container over several lines with a placeholder of several words',
    '```bash\ndocker run -i --rm \\\n  -e KITE_URL=http://localhost:3000 \\\n  -e KITE_API_KEY=<your service account token> \\\n  acme/kite -t stdio\n```',
    {
      servers: runs('kite', 'docker', [
        ...['run', '-i', '--rm', '-e', 'KITE_URL=http://localhost:3000'],
        ...['-e', 'KITE_API_KEY=${secret:KITE_API_KEY}', 'acme/kite', '-t', 'stdio'],
      ]),
      asks: ['KITE_API_KEY'],
    },
  ),
  row(
    'TOML with typographic quotes amid prose',
    'Put this into ~/.codex/config.toml:\n\n[mcp_servers.kite]\ncommand = “npx”\nargs = [“-y”, “kite-mcp”]\n\nThen start Codex again.',
    { servers: kite() },
  ),
  row(
    'a path of Windows with an n and a t after its backslashes',
    '{"mcpServers": {"kite": {"command": "C:\\Program Files\\nodejs\\npx.cmd", "args": ["-y", "C:\\temp\\kite"]}}}',
    { servers: runs('kite', 'C:\\Program Files\\nodejs\\npx.cmd', ['-y', 'C:\\temp\\kite']) },
  ),
  row(
    'a placeholder in German',
    'Füge das ein:\n\n{"mcpServers": {"kite": {"command": "npx\u00A0", "args": ["-y", "kite-mcp"], "env": {"KITE_KEY": "DEIN_API_SCHLÜSSEL"}}}}',
    { servers: kite({ env: { KITE_KEY: '${secret:KITE_KEY}' } }), asks: ['KITE_KEY'] },
  ),
  row('a long dash before one letter', 'claude mcp add kite — npx —y kite-mcp', { servers: kite() }),
  row(
    'a server for many clients',
    `# Kite MCP\n\n![CI](https://github.com/acme/kite/actions/workflows/ci.yml/badge.svg) [![npm](https://img.shields.io/npm/v/kite-mcp)](https://www.npmjs.com/package/kite-mcp)\n\n## Install\n\n${badge('VS Code', vscode('kite', npx))} ${badge('Insiders', vscode('kite', npx, '&quality=insiders'))} ${badge('Cursor', cursor('kite', npx))}\n\n<details>\n<summary>Claude Code</summary>\n\n\`\`\`bash\nclaude mcp add kite -- npx -y kite-mcp\n\`\`\`\n\n</details>\n\n<details>\n<summary>Codex</summary>\n\n\`\`\`bash\ncodex mcp add kite -- npx -y kite-mcp\n\`\`\`\n\nor\n\n\`\`\`toml\n[mcp_servers.kite]\ncommand = "npx"\nargs = ["-y", "kite-mcp"]\n\`\`\`\n</details>\n\n<details><summary>opencode</summary>\n\n${block({ mcp: { kite: { type: 'local', command: ['npx', '-y', 'kite-mcp'], enabled: true } } })}\n</details>\n\nOthers:\n\n${block({ mcpServers: { kite: npx } })}\n\nSee the [documentation](https://kite.example.com/docs).\n`,
    { servers: kite({ type: 'stdio' }) },
  ),
  row(
    'a remote server for many clients',
    `## Connect\n\n- **Endpoint**: \`${address}\`\n- Claude Code: \`claude mcp add --transport http pond ${address}\`\n- Gemini: \`gemini mcp add --transport http pond ${address}\`\n- VS Code: ${vscode('pond', { type: 'http', url: address })}\n\nClaude Desktop:\n${block({ mcpServers: { pond: { url: address } } })}\n`,
    { servers: pond({ type: 'http' }) },
  ),
  row(
    'a remote server with a bridge for old clients',
    `For clients with HTTP:\n${block({ mcpServers: { pond: { url: address } } })}\n\nFor others:\n${block({ mcpServers: { 'pond-bridge': { command: 'npx', args: ['-y', 'mcp-remote', address] } } })}`,
    { servers: { ...pond(), ...runs('pond-bridge', 'npx', ['-y', 'mcp-remote', address]) } },
  ),
  row(
    'a bridge with a header',
    block({
      mcpServers: {
        pond: {
          command: 'npx',
          args: ['mcp-remote', address, '--header', 'Authorization:${AUTH_HEADER}'],
          env: { AUTH_HEADER: 'Bearer <your-token>' },
        },
      },
    }),
    {
      servers: runs('pond', 'npx', ['mcp-remote', address, '--header', 'Authorization:$${AUTH_HEADER}'], {
        env: { AUTH_HEADER: 'Bearer ${secret:AUTH_HEADER}' },
      }),
      asks: ['AUTH_HEADER'],
      waits: [],
    },
  ),
  row(
    'a bridge with a key among its arguments',
    block({
      mcpServers: {
        pond: {
          command: 'npx',
          args: ['-y', 'mcp-remote', address, '--header', 'Authorization: Bearer YOUR_API_KEY'],
        },
      },
    }),
    {
      servers: runs('pond', 'npx', [
        '-y',
        'mcp-remote',
        address,
        '--header',
        'Authorization: Bearer ${secret:POND_API_KEY}',
      ]),
      asks: ['pond API_KEY'],
    },
  ),
  row(
    'npm and Docker in one page',
    `### NPX\n${block({ mcpServers: { kite: npx } })}\n### Docker\n${block({ mcpServers: { 'kite-docker': { command: 'docker', args: ['run', '-i', '--rm', 'acme/kite'] } } })}`,
    { servers: { ...kite(), ...runs('kite-docker', 'docker', ['run', '-i', '--rm', 'acme/kite']) } },
  ),
  row(
    'npm and Docker under one name',
    `### NPX\n${block({ mcpServers: { kite: npx } })}\n### Docker\n${block({ mcpServers: { kite: { command: 'docker', args: ['run', '-i', '--rm', 'acme/kite'] } } })}`,
    { servers: { ...kite(), ...runs('kite-2', 'docker', ['run', '-i', '--rm', 'acme/kite']) } },
  ),
  row(
    'a Windows variant beside the usual one',
    `macOS, Linux:\n${block({ mcpServers: { kite: npx } })}\nWindows:\n${block({ mcpServers: { kite: { command: 'cmd', args: ['/c', 'npx', '-y', 'kite-mcp'] } } })}`,
    { servers: kite() },
  ),
  row(
    'a fragment in a list',
    '1. Open the file\n2. Add:\n\n   ```json\n   "kite": {\n     "command": "npx",\n     "args": ["-y", "kite-mcp"]\n   }\n   ```\n\n3. Restart\n',
    { servers: kite() },
  ),
  row(
    'a table of variables after the config',
    `${block({ mcpServers: { kite: { ...npx, env: { KITE_TOKEN: 'your_kite_token', KITE_MODE: 'fast' } } } })}\n\n| Variable | Meaning | Default |\n|---|---|---|\n| \`KITE_TOKEN\` | Your token | none |\n| \`KITE_MODE\` | \`fast\` or \`slow\` | \`fast\` |\n`,
    {
      servers: kite({ env: { KITE_TOKEN: '${secret:KITE_TOKEN}', KITE_MODE: 'fast' } }),
      asks: ['KITE_TOKEN'],
    },
  ),
  row(
    'a table of clients',
    `| Client | Command |\n|---|---|\n| Claude Code | \`claude mcp add kite -- npx -y kite-mcp\` |\n| Codex | \`codex mcp add kite -- npx -y kite-mcp\` |\n`,
    { servers: kite() },
  ),
  row(
    'badges in HTML',
    `<p align="center">\n  <a href="cursor://anysphere.cursor-deeplink/mcp/install?name=kite&config=${base64(npx)}"><img src="https://cursor.com/deeplink/mcp-install-dark.svg" alt="Add to Cursor" height="32"></a>\n  &nbsp;\n  <a href="${vscode('kite', npx).replaceAll('&', '&amp;')}"><img src="https://img.shields.io/badge/x-0098FF" alt="VS Code"></a>\n</p>`,
    { servers: kite() },
  ),
  row(
    'a badge with its picture in HTML inside Markdown',
    `[<img src="https://img.shields.io/badge/VS_Code-x?label=Install" alt="Install in VS Code">](${vscode('kite', npx)})`,
    { servers: kite() },
  ),
  row(
    'a badge by reference',
    `[![Install][pic]][link]\n\n[pic]: https://img.shields.io/badge/x-y\n[link]: ${cursor('kite', npx)}\n`,
    { servers: kite() },
  ),
  row(
    'a badge whose config is a line',
    badge('Cursor', cursor('wind', { command: 'uvx wind-mcp@latest', disabled: false, autoApprove: [] })),
    { servers: runs('wind', 'uvx', ['wind-mcp@latest'], { disabled: false, autoApprove: [] }) },
  ),
  row(
    'a badge with placeholders',
    badge(
      'VS Code',
      vscode('kite', { ...npx, env: { AWS_PROFILE: 'your-aws-profile', AWS_REGION: 'eu-west-1' } }),
    ),
    {
      servers: kite({ env: { AWS_PROFILE: 'typed', AWS_REGION: 'eu-west-1' } }),
      asks: ['AWS_PROFILE'],
    },
  ),
  row(
    'a badge with a secret to be asked for',
    badge(
      'VS Code',
      `https://vscode.dev/redirect/mcp/install?name=kite&inputs=${escaped([{ id: 'kite_token', type: 'promptString', description: 'Kite token', password: true }])}&config=${escaped({ ...npx, env: { KITE_TOKEN: '${input:kite_token}' } })}`,
    ),
    { servers: kite({ env: { KITE_TOKEN: '${secret:KITE_TOKEN}' } }), asks: ['kite_token'] },
  ),
  row(
    'a badge with a slash left as it is',
    `<a href="https://insiders.vscode.dev/redirect/mcp/install?name=pond&config=%7B%22type%22%3A%22http%22%2C%22url%22%3A%22https%3A//pond.example.com/mcp%22%7D"><img src="x.svg"></a>`,
    {
      servers: pond({ type: 'http' }),
    },
  ),
  row(
    'a link of Cursor in a block of code',
    `\`\`\`bash\ncursor://anysphere.cursor-deeplink/mcp/install?name=kite&config=${base64({ kite: npx })}\n\`\`\``,
    {
      servers: kite(),
    },
  ),
  row(
    'a link that a chat has wrapped',
    `https://slack-redir.example.net/link?url=${encodeURIComponent(cursor('kite', npx))}`,
    { servers: kite() },
  ),
  row(
    'an HTML page with a config',
    '<pre><code class="language-json">{&quot;mcpServers&quot;: {&quot;kite&quot;: {&quot;command&quot;: &quot;npx&quot;, &quot;args&quot;: [&quot;-y&quot;, &quot;kite-mcp&quot;]}}}</code></pre>',
    {
      servers: kite(),
    },
  ),
  row(
    'an HTML page with coloured code',
    '<pre><span class="p">{</span><span class="nt">"kite"</span><span class="p">:</span> {"command": "npx", "args": ["-y", "kite-mcp"]}<span class="p">}</span></pre>',
    {
      servers: kite(),
    },
  ),
  row(
    'JSON copied with its line numbers',
    '1  {\n2    "mcpServers": {\n3      "kite": {\n4        "command": "npx",\n5        "args": ["-y", "kite-mcp"]\n6      }\n7    }\n8  }',
    {
      servers: kite(),
    },
  ),
  row(
    'JSON with a copied button',
    'Copy\n{\n  "mcpServers": {\n    "kite": { "command": "npx", "args": ["-y", "kite-mcp"] }\n  }\n}\nCopied!',
    {
      servers: kite(),
    },
  ),
  row(
    'JSON with its language before',
    'json\n{\n  "mcpServers": {\n    "kite": { "command": "npx", "args": ["-y", "kite-mcp"] }\n  }\n}',
    {
      servers: kite(),
    },
  ),
  row(
    'JSON with the name of its file before',
    'mcp.json\n\n{"mcpServers": {"kite": {"command": "npx", "args": ["-y", "kite-mcp"]}}}',
    {
      servers: kite(),
    },
  ),
  row(
    'JSON with dots for the others',
    '{\n  "mcpServers": {\n    // ... your other servers\n    "kite": { "command": "npx", "args": ["-y", "kite-mcp"] },\n    ...\n  }\n}',
    {
      servers: kite(),
    },
  ),
  row(
    'JSON whose last brace was not copied',
    '{\n  "mcpServers": {\n    "kite": { "command": "npx", "args": ["-y", "kite-mcp"] }\n  }\n',
    {
      none: 'closing brace',
    },
  ),
  row(
    'JSON with one brace too many',
    '{"mcpServers": {"kite": {"command": "npx", "args": ["-y", "kite-mcp"]}}}}',
    {
      servers: kite(),
    },
  ),
  row('JSON with semicolons', '{"mcpServers": {"kite": {"command": "npx"; "args": ["-y", "kite-mcp"]}}}', {
    servers: kite(),
  }),
  row(
    'JSON with full-width signs',
    '｛"mcpServers"： {"kite"： {"command"： "npx"， "args"： ["-y"， "kite-mcp"]}}｝',
    {
      servers: kite(),
    },
  ),
  row(
    'JSON with tabs and Windows line ends',
    '{\r\n\t"mcpServers": {\r\n\t\t"kite": {\r\n\t\t\t"command": "npx",\r\n\t\t\t"args": ["-y", "kite-mcp"]\r\n\t\t}\r\n\t}\r\n}\r\n',
    {
      servers: kite(),
    },
  ),
  row(
    'JSON in a quoted message',
    '> ```json\n> {"mcpServers": {"kite": {"command": "npx", "args": ["-y", "kite-mcp"]}}}\n> ```',
    {
      servers: kite(),
    },
  ),
  row(
    'JSON in one string of a program',
    '"{\\"mcpServers\\": {\\"kite\\": {\\"command\\": \\"npx\\", \\"args\\": [\\"-y\\", \\"kite-mcp\\"]}}}"',
    {
      servers: kite(),
    },
  ),
  row(
    'YAML in a list of steps',
    '1. Edit `config.yaml`\n\n   ```yaml\n   mcpServers:\n     kite:\n       command: npx\n       args:\n         - -y\n         - kite-mcp\n   ```',
    {
      servers: kite(),
    },
  ),
  row('YAML with tabs', 'mcpServers:\n\tkite:\n\t\tcommand: npx\n', { none: 'YAML' }),
  row('fields of a form', `Name: pond\nURL: ${address}\nAuthentication: OAuth`, { servers: pond() }),
  row('fields of a form for a command', 'Name: kite\nType: stdio\nCommand: npx\nArguments: -y kite-mcp\n', {
    servers: kite({ type: 'stdio' }),
  }),
  row('fields with a list', '- **Name**: kite\n- **Command**: `npx -y kite-mcp`\n', { servers: kite() }),
  row('a sentence with an address', `Add ${address} as a custom connector in Claude.`, {
    servers: reaches('example', address),
  }),
  row(
    'a sentence with two addresses, one a page',
    `See https://pond.example.com/docs and connect to ${address}.`,
    {
      servers: reaches('example', address),
    },
  ),
  row('a chat with a command', 'hey, try this:\n\nnpx -y kite-mcp\n\nworks for me 🙂', {
    servers: runs('kite-mcp', 'npx', ['-y', 'kite-mcp']),
  }),
  row('a chat that says what to run', 'just run `uvx wind-mcp` and you are set', {
    servers: runs('wind-mcp', 'uvx', ['wind-mcp']),
  }),
  row(
    'a page with an installer only',
    '## Install\n\n```bash\nnpx -y @smithery/cli install @acme/kite --client claude\n```',
    {
      none: 'not an MCP server',
    },
  ),
  row(
    'a page with an installer and a config',
    `\`\`\`bash\nnpx -y @smithery/cli install @acme/kite --client claude\n\`\`\`\nor\n${block({ mcpServers: { kite: npx } })}`,
    {
      servers: kite(),
    },
  ),
  row('an installer of a script', 'curl -fsSL https://kite.example.com/install.sh | sh', {
    none: 'prepares something',
  }),
  row('an extension of Gemini', 'gemini extensions install https://github.com/acme/kite', {
    none: 'prepares something',
  }),
  row('a plugin of Claude Code', '/plugin marketplace add acme/kite\n/plugin install kite@acme', {
    none: 'prepares something',
  }),
  row('a server of the Docker toolkit', 'docker mcp server enable kite', { none: 'prepares something' }),
  row('a repository with a branch', 'https://github.com/acme/kite/tree/main/packages/kite-mcp', {
    none: 'not an MCP server',
  }),
  row('a gist', 'https://gist.github.com/ann/0123456789abcdef', { none: 'not an MCP server' }),
  row('a raw file', 'https://raw.githubusercontent.com/acme/kite/main/README.md', {
    none: 'not an MCP server',
  }),
  row('an address of GitHub that is a server', 'https://api.githubcopilot.com/mcp/', {
    servers: reaches('githubcopilot', 'https://api.githubcopilot.com/mcp/'),
  }),
  row('an address of a directory', 'https://smithery.ai/server/@acme/kite', { none: 'not an MCP server' }),
  row('an address with a key', 'https://pond.example.com/mcp?api_key=YOUR_API_KEY', {
    servers: reaches('example', 'https://pond.example.com/mcp?api_key=${secret:API_KEY}'),
    asks: ['API_KEY'],
  }),
  row(
    'an address with the name of a tenant',
    '{"mcpServers": {"pond": {"url": "https://{tenant}.pond.example.com/mcp"}}}',
    {
      servers: reaches('pond', 'https://typed.pond.example.com/mcp'),
      asks: ['tenant'],
    },
  ),
  row(
    'an address on this machine with a placeholder',
    '{"mcpServers": {"pond": {"url": "http://localhost:<port>/mcp"}}}',
    {
      servers: reaches('pond', 'http://localhost:8080/mcp'),
      asks: ['port'],
    },
  ),
  row(
    'a path to be filled in',
    block({ mcpServers: { kite: { command: 'node', args: ['/path/to/kite/dist/index.js'] } } }),
    {
      servers: runs('kite', 'node', ['/path/to/kite/dist/index.js']),
      says: 'is an example',
    },
  ),
  row(
    'a path of Windows to be filled in',
    block({ mcpServers: { kite: { command: 'node', args: ['C:\\path\\to\\kite\\dist\\index.js'] } } }),
    {
      servers: runs('kite', 'node', ['C:\\path\\to\\kite\\dist\\index.js']),
      says: 'is an example',
    },
  ),
  row(
    'a folder of a person',
    block({ mcpServers: { kite: { ...npx, args: ['-y', 'kite-mcp', '/Users/username/Desktop'] } } }),
    {
      servers: runs('kite', 'npx', ['-y', 'kite-mcp', '/Users/username/Desktop']),
      says: 'is an example',
    },
  ),
  row(
    'a registry entry with what it needs',
    JSON.stringify({
      $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
      name: 'com.example/kite',
      description: 'Kites',
      version: '1.2.0',
      packages: [
        {
          registryType: 'npm',
          identifier: 'kite-mcp',
          version: '1.2.0',
          transport: { type: 'stdio' },
          environmentVariables: [
            { name: 'KITE_TOKEN', description: 'Your token', isRequired: true, isSecret: true },
            { name: 'KITE_MODE', default: 'fast' },
          ],
        },
      ],
    }),
    {
      servers: runs('kite', 'npx', ['-y', 'kite-mcp@1.2.0'], {
        env: { KITE_TOKEN: '${secret:KITE_TOKEN}', KITE_MODE: 'typed' },
      }),
      asks: ['KITE_TOKEN', 'KITE_MODE'],
    },
  ),
  row(
    'a registry entry with a remote and a variable',
    JSON.stringify({
      name: 'com.example/pond',
      description: 'Ponds',
      version: '1.0.0',
      remotes: [
        {
          type: 'streamable-http',
          url: 'https://{tenant}.pond.example.com/mcp',
          variables: { tenant: { description: 'Your tenant', isRequired: true } },
          headers: [
            {
              name: 'Authorization',
              value: 'Bearer {token}',
              variables: { token: { isSecret: true, isRequired: true } },
            },
          ],
        },
      ],
    }),
    {
      servers: reaches('pond', 'https://typed.pond.example.com/mcp', {
        type: 'http',
        headers: { Authorization: 'Bearer ${secret:TOKEN}' },
      }),
      asks: ['token', 'tenant'],
    },
  ),
  row(
    'a registry entry of an image',
    JSON.stringify({
      name: 'com.example/kite',
      description: 'Kites',
      version: '1.0.0',
      packages: [
        {
          registryType: 'oci',
          identifier: 'ghcr.io/acme/kite:1.0.0',
          transport: { type: 'stdio' },
          environmentVariables: [{ name: 'KITE_TOKEN', isRequired: true, isSecret: true }],
        },
      ],
    }),
    {
      servers: runs('kite', 'docker', ['run', '-i', '--rm', '-e', 'KITE_TOKEN', 'ghcr.io/acme/kite:1.0.0'], {
        env: { KITE_TOKEN: '${secret:KITE_TOKEN}' },
      }),
      asks: ['KITE_TOKEN'],
    },
  ),
  row(
    'JSON with all its escapes',
    '{\\n  \\"mcpServers\\": {\\n    \\"kite\\": {\\"command\\": \\"npx\\", \\"args\\": [\\"-y\\", \\"kite-mcp\\"]}\\n  }\\n}',
    { servers: kite() },
  ),
  row('JSON as part of an address', escaped({ mcpServers: { kite: npx } }), { servers: kite() }),
  row('JSON in Base64', base64({ mcpServers: { kite: npx } }), { servers: kite() }),
  row('a config beside its name', JSON.stringify({ name: 'kite', config: npx }), { servers: kite() }),
  row('an attribute set of Nix', '{ mcpServers.kite = { command = "npx"; args = [ "-y" "kite-mcp" ]; }; }', {
    servers: kite(),
  }),
  row(
    'a nested attribute set of Nix',
    'programs.mcp = {\n  enable = true;\n  servers.kite = {\n    command = "npx";\n    args = [ "-y" "kite-mcp" ];\n  };\n};',
    { servers: kite() },
  ),
  row(
    'a comparison',
    '@@ -1,3 +1,6 @@\n {\n   "mcpServers": {\n+    "kite": { "command": "npx", "args": ["-y", "kite-mcp"] }\n-    "lamp": { "command": "npx", "args": ["lamp-mcp"] }\n   }\n }',
    { servers: kite() },
  ),
  row(
    'a comparison in a fence',
    '```diff\n- "url": "https://pond.example.com/v1/mcp"\n+ "url": "https://pond.example.com/mcp"\n```',
    { servers: reaches('example', address) },
  ),
  row(
    'a table of a web page',
    `<table><tr><td>Claude Code</td><td><code>claude mcp add pond ${address}</code></td></tr></table>`,
    { servers: pond() },
  ),
  row(
    'tags in a config',
    '{"mcpServers": {"kite": {"command": "npx", "args": ["-y", "kite-mcp", "<p>Hi</p>"]}}}',
    {
      servers: runs('kite', 'npx', ['-y', 'kite-mcp', '<p>Hi</p>']),
    },
  ),
  row('a paragraph of a web page', '<p>Install with <code>npx -y kite-mcp</code> today.</p>', {
    servers: runs('kite-mcp', 'npx', ['-y', 'kite-mcp']),
  }),
  row('a header in a sentence', `Please add ${address} with the header X-Api-Key: pnd_9fA2bC7dE1gH4jK8`, {
    servers: reaches('example', address, { headers: { 'X-Api-Key': '${secret:EXAMPLE_API_KEY}' } }),
  }),
  row(
    'two ways to sign in, each with variables of its own',
    `With a user token:\n${block({ mcpServers: { kite: { ...npx, env: { KITE_TOKEN: 'kt-...' } } } })}\nWith a bot:\n${block({ mcpServers: { kite: { ...npx, env: { KITE_BOT_ID: '<bot-id>', KITE_BOT_TOKEN: 'kb-...' } } } })}`,
    {
      servers: {
        ...kite({ env: { KITE_TOKEN: '${secret:KITE_TOKEN}' } }),
        ...runs('kite-2', 'npx', ['-y', 'kite-mcp'], {
          env: { KITE_BOT_ID: 'typed', KITE_BOT_TOKEN: '${secret:KITE_BOT_TOKEN}' },
        }),
      },
      asks: ['KITE_TOKEN', 'KITE_BOT_ID', 'KITE_BOT_TOKEN'],
    },
  ),
  row(
    'one address with either of two headers',
    `${block({ mcpServers: { pond: { url: address, headers: { Authorization: 'Bearer <token>' } } } })}\nor\n${block({ mcpServers: { pond: { url: address, headers: { 'X-Api-Key': '<api-key>' } } } })}`,
    {
      servers: {
        ...pond({ headers: { Authorization: 'Bearer ${secret:POND_TOKEN}' } }),
        ...reaches('pond-2', address, { headers: { 'X-Api-Key': '${secret:POND_API_KEY}' } }),
      },
      asks: ['pond token', 'pond api-key'],
    },
  ),
  row(
    'one server whose variables are told in full further down',
    `${block({ mcpServers: { kite: { ...npx, env: { KITE_MODE: 'fast' } } } })}\nAll of them:\n${block({ mcpServers: { kite: { ...npx, env: { KITE_MODE: 'fast', KITE_LANG: 'en' } } } })}`,
    { servers: kite({ env: { KITE_MODE: 'fast', KITE_LANG: 'en' } }) },
  ),
  row(
    'a config with one typographic quote amid commands',
    `Save this:\n\n\`\`\`json\n{"mcpServers": {"kite": {"command": "npx", "args": ["-y", "kite-mcp”]}}}\n\`\`\`\n\nor run \`npx -y kite-mcp --http\`.`,
    { servers: kite() },
  ),
  row(
    'two configs of which one has typographic quotes',
    `${block({ mcpServers: { kite: npx } })}\n\`\`\`json\n{“pond”: {“url”: “${address}”}}\n\`\`\``,
    { servers: { ...kite(), ...pond() } },
  ),
  row(
    'typographic quotes within a text of a config',
    block({ mcpServers: { kite: { ...npx, env: { KITE_TITLE: 'The “big” one' } } } }),
    { servers: kite({ env: { KITE_TITLE: 'The “big” one' } }) },
  ),
  row(
    'a config in each row of a table',
    `| Client | Config |\n|---|---|\n| One | \`{"mcpServers": {"pond": {"url": "${address}"}}}\` |\n| Other | \`{"servers": {"pond": {"type": "http", "url": "${address}"}}}\` |\n`,
    { servers: pond({ type: 'http' }) },
  ),
  row(
    'an address with a list of headers, and a command',
    `**Remote**\n\nURL: \`${address}\`\n\nHeaders:\n- \`Authorization: Bearer <token>\`\n- \`X-Space: <space-id>\`\n\n**Local**\n\n\`npx -y kite-mcp\``,
    {
      servers: {
        ...reaches('example', address, {
          headers: { Authorization: 'Bearer ${secret:TOKEN}', 'X-Space': 'typed' },
        }),
        ...runs('kite-mcp', 'npx', ['-y', 'kite-mcp']),
      },
      asks: ['token', 'space-id'],
    },
  ),
  row(
    'an address and a command, each on a line of its own',
    `Remote\n\n${address}\n\nLocal\n\nnpx -y kite-mcp\n\nDocs\n\nhttps://pond.example.com/docs/mcp`,
    { servers: { ...runs('kite-mcp', 'npx', ['-y', 'kite-mcp']), ...reaches('example', address) } },
  ),
  row(
    'a list of servers, some by command, some by address',
    `My servers:\n\n1. kite (npx -y kite-mcp)\n2. wind (uvx wind-mcp)\n3. pond – ${address}\n`,
    {
      servers: {
        ...runs('kite-mcp', 'npx', ['-y', 'kite-mcp']),
        ...runs('wind-mcp', 'uvx', ['wind-mcp']),
        ...reaches('example', address),
      },
    },
  ),
  row(
    'an address of this machine that a command brings about',
    '```bash\nnpx -y kite-mcp --http\n```\n\n```\nhttp://localhost:3000/mcp\n```',
    { servers: runs('kite-mcp', 'npx', ['-y', 'kite-mcp', '--http']) },
  ),
  row('an address that is an argument already', `npx -y mcp-remote ${address}\n\n${address}`, {
    servers: runs('example', 'npx', ['-y', 'mcp-remote', address]),
  }),
  row(
    'values that are left to choose',
    '{"mcpServers": {"kite": {"command": "npx", "args": ["-y", "kite-mcp"], "env": {"KITE_TLS": True|False, "KITE_FAST": false | true}}}}',
    { servers: kite({ env: { KITE_TLS: 'true', KITE_FAST: 'false' } }) },
  ),
  row(
    'a folder in braces',
    block({ mcpServers: { wind: { command: 'uv', args: ['--directory', '{project_dir}', 'run', 'wind'] } } }),
    { servers: runs('wind', 'uv', ['--directory', 'typed', 'run', 'wind']), asks: ['project_dir'] },
  ),
  row(
    'the begin of a path in braces',
    block({ mcpServers: { kite: { command: 'node', args: ['{PATH_TO_KITE}/dist/index.js'] } } }),
    { servers: runs('kite', 'node', ['typed/dist/index.js']), asks: ['PATH_TO_KITE'] },
  ),
  row(
    'a template of places that the server fills itself',
    block({
      mcpServers: { kite: { ...npx, args: ['-y', 'kite-mcp', '--open', 'edit {file_path}:{line}'] } },
    }),
    { servers: runs('kite', 'npx', ['-y', 'kite-mcp', '--open', 'edit {file_path}:{line}']) },
  ),
  row(
    'a folder called by whose it is',
    block({ mcpServers: { kite: { command: 'node', args: ['/path/to/your-mcp-server/index.js'] } } }),
    { servers: runs('kite', 'node', ['/path/to/your-mcp-server/index.js']), says: 'is an example' },
  ),
  row(
    'a form with an address of this machine, and the command behind it',
    'Name: kite\nURL: http://localhost:3000/mcp\n\n```bash\nnpx -y kite-mcp --http\n```',
    { servers: reaches('kite', 'http://localhost:3000/mcp') },
  ),
  row(
    'parts of an address behind a bridge',
    block({
      mcpServers: {
        pond: { command: 'npx', args: ['mcp-remote', 'https://pond.example.com/{owner}/{repo}'] },
      },
    }),
    {
      servers: runs('pond', 'npx', ['mcp-remote', 'https://pond.example.com/typed/typed']),
      asks: ['owner', 'repo'],
    },
  ),
  row(
    'a template of addresses that the server fills itself',
    block({
      mcpServers: {
        kite: { ...npx, args: ['-y', 'kite-mcp', '--tiles', 'https://t.example.com/{z}/{x}/{y}'] },
      },
    }),
    { servers: runs('kite', 'npx', ['-y', 'kite-mcp', '--tiles', 'https://t.example.com/{z}/{x}/{y}']) },
  ),
  row(
    'a port and a bucket to be filled in',
    block({
      mcpServers: {
        kite: { ...npx, args: ['-y', 'kite-mcp', '--port', 'your-port', '--bucket', 'your_bucket'] },
      },
    }),
    {
      servers: runs('kite', 'npx', ['-y', 'kite-mcp', '--port', '8080', '--bucket', 'typed']),
      asks: ['port', 'bucket'],
    },
  ),
  row(
    'a command that only names a server whose address follows',
    `Use \`claude mcp add --transport http pond <URL>\` (see below):\n\n| Region | Command |\n|---|---|\n| EU | \`claude mcp add --transport http pond ${address}\` |`,
    { servers: pond({ type: 'http' }) },
  ),
  row('a name with a slash between its words', block({ mcpServers: { 'Kite (local, r/w)': npx } }), {
    servers: runs('Kite-(local,-r-w)', 'npx', ['-y', 'kite-mcp'], {
      patchbay: { title: 'Kite (local, r/w)' },
    }),
  }),
  row(
    'one server as a client shows it, indented',
    '  kite:\n    Scope: User config\n    Type: stdio\n    Command: npx\n    Args: -y kite-mcp\n    Environment:\n      KITE_MODE=fast\n\nTo remove this server, run: claude mcp remove "kite" -s user',
    { servers: kite({ type: 'stdio', env: { KITE_MODE: 'fast' } }) },
  ),
  row('a form with variables and headers', `Name: pond\nURL: ${address}\nHeaders: X-Api-Key: <key>`, {
    servers: pond({ headers: { 'X-Api-Key': '${secret:POND_KEY}' } }),
    asks: ['pond key'],
  }),
];
