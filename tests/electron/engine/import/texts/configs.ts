// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import { reaches, row, runs, type TextRow } from './row.ts';

const kite = (more: object = {}) => runs('kite', 'npx', ['-y', 'kite-mcp'], more);
const pond = (more: object = {}) => reaches('pond', 'https://pond.example.com/mcp', more);
const own = '"command": "npx", "args": ["-y", "kite-mcp"]';
const file = (server: object, root = 'mcpServers') =>
  JSON.stringify({ [root]: { kite: { command: 'npx', args: ['-y', 'kite-mcp'], ...server } } });
const remote = (server: object) =>
  JSON.stringify({ mcpServers: { pond: { url: 'https://pond.example.com/mcp', ...server } } });
const env = (value: unknown) => file({ env: { KITE_TOKEN: value } });
const asked = { servers: kite({ env: { KITE_TOKEN: '${secret:KITE_TOKEN}' } }), asks: ['KITE_TOKEN'] };

const fragments: readonly TextRow[] = [
  row('a whole file', `{"mcpServers": {"kite": {${own}}}}`, { servers: kite() }),
  row('a fragment', `"kite": {${own}}`, { servers: kite() }),
  row('a fragment with a comma after', `"kite": {${own}},`, { servers: kite() }),
  row('a fragment with brackets of its file after', `    "kite": {${own}}\n  }\n}`, { servers: kite() }),
  row('an entry alone', `{${own}}`, { servers: runs('kite-mcp', 'npx', ['-y', 'kite-mcp']) }),
  row('the inside of an entry', own, { servers: runs('kite-mcp', 'npx', ['-y', 'kite-mcp']) }),
  row('commas at the end', `{"mcpServers": {"kite": {"command": "npx", "args": ["-y", "kite-mcp",],},},}`, {
    servers: kite(),
  }),
  row('a comma forgotten', `{"mcpServers": {"kite": {"command": "npx"\n "args": ["-y" "kite-mcp"]}}}`, {
    servers: kite(),
  }),
  row('comments', `{ // mine\n "mcpServers": { /* all */ "kite": {${own}} } }`, { servers: kite() }),
  row('comments of a shell', `{\n # mine\n "mcpServers": {"kite": {${own}}}\n}`, { servers: kite() }),
  row('single quotes', "{'mcpServers': {'kite': {'command': 'npx', 'args': ['-y', 'kite-mcp']}}}", {
    servers: kite(),
  }),
  row('names without quotes', "{ mcpServers: { kite: { command: 'npx', args: ['-y', 'kite-mcp'] } } }", {
    servers: kite(),
  }),
  row('a fragment without quotes', "mcpServers: { kite: { command: 'npx', args: ['-y', 'kite-mcp'] } }", {
    servers: kite(),
  }),
  row(
    'a dictionary of Python',
    "{'mcpServers': {'kite': {'command': 'npx', 'args': ['-y', 'kite-mcp'], 'disabled': False, 'env': None}}}",
    { servers: kite({ disabled: false }) },
  ),
  row(
    'True in Python',
    "{'mcpServers': {'kite': {'command': 'npx', 'args': ('-y', 'kite-mcp'), 'disabled': True}}}",
    { servers: kite({ disabled: true }) },
  ),
  row(
    'an assignment',
    "const config = {\n  mcpServers: { kite: { command: 'npx', args: ['-y', 'kite-mcp'] } },\n};",
    { servers: kite() },
  ),
  row(
    'a call',
    'client = MultiServerMCPClient({\n  "kite": {"command": "npx", "args": ["-y", "kite-mcp"], "transport": "stdio"},\n})',
    { servers: kite({ type: 'stdio' }) },
  ),
  row(
    'a variable of Node',
    'export default { mcpServers: { kite: { command: "npx", args: ["-y", "kite-mcp"], env: { KITE_TOKEN: process.env.SET! } } } };',
    { servers: kite({ env: { KITE_TOKEN: '${SET}' } }) },
  ),
  row(
    'a variable of Python',
    "servers = {'kite': {'command': 'npx', 'args': ['-y', 'kite-mcp'], 'env': {'KITE_TOKEN': os.environ['SET']}}}",
    { servers: kite({ env: { KITE_TOKEN: '${SET}' } }) },
  ),
  row(
    'a variable in a sum',
    'x = { mcpServers: { pond: { url: "https://pond.example.com/mcp", headers: { "X-Key": "Key " + process.env.SET } } } }',
    { servers: pond({ headers: { 'X-Key': 'Key ${SET}' } }) },
  ),
  row(
    'a template of JavaScript',
    'x = { mcpServers: { pond: { url: "https://pond.example.com/mcp", headers: { "X-Key": `Key ${process.env.SET}` } } } }',
    { servers: pond({ headers: { 'X-Key': 'Key ${SET}' } }) },
  ),
  row('backslashes of Windows', '{"mcpServers": {"kite": {"command": "C:\\Users\\Ann\\kite.exe"}}}', {
    servers: { kite: { command: 'C:\\Users\\Ann\\kite.exe' } },
  }),
  row('typographic quotes', `{“mcpServers”: {“kite”: {“command”: “npx”, “args”: [“-y”, “kite-mcp”]}}}`, {
    servers: kite(),
  }),
  row('blanks that do not break', `{\u00A0"mcpServers": {"kite": {${own}}}}`, { servers: kite() }),
  row(
    'character references',
    `{&quot;mcpServers&quot;: {&quot;kite&quot;: {&quot;command&quot;: &quot;npx&quot;, &quot;args&quot;: [&quot;-y&quot;, &quot;kite-mcp&quot;]}}}`,
    { servers: kite() },
  ),
  row('JSON as a text', JSON.stringify(`{"mcpServers": {"kite": {${own}}}}`), { servers: kite() }),
  row('a quotation', `> {\n>   "mcpServers": {"kite": {${own}}}\n> }`, { servers: kite() }),
  row('a difference', `+ {\n+   "mcpServers": {"kite": {${own}}}\n+ }`, { servers: kite() }),
  row('numbers of lines', `1  {\n2    "mcpServers": {"kite": {${own}}}\n3  }`, { servers: kite() }),
  row('colours of a terminal', `\u001B[32m{"mcpServers": {"kite": {${own}}}}\u001B[0m`, { servers: kite() }),
  row('a fence in a list', `1. Add:\n   \`\`\`json\n   {"mcpServers": {"kite": {${own}}}}\n   \`\`\``, {
    servers: kite(),
  }),
  row('a fence of tildes', `~~~json\n{"mcpServers": {"kite": {${own}}}}\n~~~`, { servers: kite() }),
  row('a fence that is not closed', `\`\`\`json\n{"mcpServers": {"kite": {${own}}}}\n`, { servers: kite() }),
  row(
    'two fences',
    `\`\`\`json\n{"mcpServers": {"kite": {${own}}}}\n\`\`\`\nor\n\`\`\`json\n{"mcpServers": {"pond": {"url": "https://pond.example.com/mcp"}}}\n\`\`\``,
    { servers: { ...kite(), ...pond() } },
  ),
  row(
    'two objects',
    `{"mcpServers": {"kite": {${own}}}}\n{"mcpServers": {"pond": {"url": "https://pond.example.com/mcp"}}}`,
    { servers: { ...kite(), ...pond() } },
  ),
  row(
    'one server for three programs',
    `\`\`\`json\n{"mcpServers": {"kite": {${own}}}}\n\`\`\`\n\`\`\`json\n{"servers": {"kite": {"type": "stdio", ${own}}}}\n\`\`\`\n\`\`\`toml\n[mcp_servers.kite]\ncommand = "npx"\nargs = ["-y", "kite-mcp"]\n\`\`\``,
    { servers: kite({ type: 'stdio' }) },
  ),
  row(
    'two accounts of one server',
    `{"mcpServers": {"kite": {${own}, "env": {"A": "1"}}, "other": {${own}, "env": {"A": "2"}}}}`,
    {
      servers: {
        ...kite({ env: { A: '1' } }),
        ...runs('other', 'npx', ['-y', 'kite-mcp'], { env: { A: '2' } }),
      },
    },
  ),
];

const json = ['{', '  "mcpServers": {', '    "kite": {', `      ${own}`, '    }', '  }', '}'];
const yaml = ['mcp_servers:', '  kite:', '    command: npx', '    args:', '      - -y', '      - kite-mcp'];
const toml = ['[mcp_servers.kite]', 'command = "npx"', 'args = ["-y", "kite-mcp"]'];
const lines = (list: readonly string[], write: (line: string, number: number) => string) =>
  list.map((line, at) => write(line, at + 1)).join('\n');
const padded = (number: number) => String(number).padStart(6);
const newFile = (name: string, list: readonly string[]) =>
  `diff --git a/${name} b/${name}\nnew file mode 100644\nindex 0000000..abc1234\n--- /dev/null\n+++ b/${name}\n@@ -0,0 +1,${list.length} @@\n${lines(list, (line) => `+${line}`)}\n`;

/** Marks before or around lines. */
const margins: readonly TextRow[] = [
  row('a quotation in an answer', `On Mon, Ana wrote:\n${lines(json, (line) => `> ${line}`)}\nThanks!`, {
    servers: kite(),
  }),
  row('a quotation of a quotation', `>> Hi\n${lines(json, (line) => `> > ${line}`)}\n> Does it work?\nYes.`, {
    servers: kite(),
  }),
  row(
    'YAML in a quotation',
    `Hi,\n\nAna wrote:\n> Add this:\n>\n${lines(yaml, (line) => `> ${line}`)}\n\nThanks`,
    {
      servers: kite(),
    },
  ),
  row('TOML in a quotation', `Ana wrote:\n${lines(toml, (line) => `> ${line}`)}\n\nThanks!`, {
    servers: kite(),
  }),
  row('YAML before a sentence', `${yaml.join('\n')}\n\nThen restart the app.`, { servers: kite() }),
  row('YAML between sentences', `Hi Ana,\nhere it is.\n\n${yaml.join('\n')}\nThen restart: it has to.\nBye`, {
    servers: kite(),
  }),
  row('YAML that is broken itself', `${yaml.join('\n')}\n      - "x\n`, { none: 'Not valid YAML' }),
  row('a new file of JSON', newFile('.mcp.json', json), { servers: kite() }),
  row('a new file of YAML', newFile('config.yaml', yaml), { servers: kite() }),
  row(
    'a new file of TOML',
    `commit 0123abc\nAuthor: Ana\n\n    Add kite\n\n${newFile('config.toml', toml)}`,
    {
      servers: kite(),
    },
  ),
  row(
    'a file that was changed',
    'diff --git a/c.yaml b/c.yaml\nold mode 100644\nnew mode 100755\n--- a/c.yaml\n+++ b/c.yaml\n@@ -1,3 +1,4 @@\n mcp_servers:\n   kite:\n-    command: old\n+    command: npx\n+    args: ["-y", "kite-mcp"]\n',
    { servers: kite() },
  ),
  row(
    'a part of a file that was changed',
    `@@ -1,4 +1,7 @@\n {\n   "mcpServers": {\n+    "kite": {\n+      ${own}\n+    },\n     "pond": {\n       "url":\n`,
    { servers: kite() },
  ),
  row(
    'a difference amid instructions',
    `Change it:\n\n\`\`\`diff\n@@ -1,3 +1,4 @@\n {\n   "mcpServers": {\n+    "kite": {${own}}\n   }\n }\n\`\`\`\n\nOr:\n\n\`\`\`json\n{"mcpServers": {"pond": {"url": "https://pond.example.com/mcp"}}}\n\`\`\``,
    { servers: { ...kite(), ...pond() } },
  ),
  row(
    'numbers of an agent',
    lines(json, (line, at) => `${padded(at)}→${line}`),
    { servers: kite() },
  ),
  row(
    'numbers before YAML',
    lines(yaml, (line, at) => `${padded(at)}→${line}`),
    { servers: kite() },
  ),
  row(
    'numbers before TOML',
    lines(toml, (line, at) => `${padded(at)}\t${line}`),
    { servers: kite() },
  ),
  row(
    'numbers with a bar',
    lines(json, (line, at) => `${padded(at)}   │ ${line}`),
    { servers: kite() },
  ),
  row(
    'numbers with a stroke',
    lines(yaml, (line, at) => `${padded(at)} | ${line}`),
    { servers: kite() },
  ),
  row(
    'numbers with a colon',
    lines(json, (line, at) => `${at}: ${line}`),
    { servers: kite() },
  ),
  row('numbers amid sentences', `It is:\n${lines(json, (line, at) => `${padded(at)}→${line}`)}\nThanks.`, {
    servers: kite(),
  }),
  row(
    'HTML as a text',
    `&lt;pre&gt;&lt;code&gt;{"mcpServers": {"kite": {${own}}}}&lt;/code&gt;&lt;/pre&gt;`,
    { servers: kite() },
  ),
  row('HTML as a text of a text', '&amp;lt;pre&amp;gt;npx -y kite-mcp&amp;lt;/pre&amp;gt;', {
    servers: runs('kite-mcp', 'npx', ['-y', 'kite-mcp']),
  }),
  row('HTML as a text in a value', file({ env: { NOTE: '&lt;p&gt;a&lt;/p&gt;' } }), {
    servers: kite({ env: { NOTE: '&lt;p&gt;a&lt;/p&gt;' } }),
  }),
  row('a filter of jq', `jq '.mcpServers.kite = {${own}}' a.json > b.json && mv b.json a.json`, {
    servers: kite(),
  }),
  row('a filter of yq', `yq -i '.mcp_servers["kite"] = {${own}}' a.yaml`, { servers: kite() }),
  row('a filter that adds', `jq '.mcpServers += {"kite": {${own}}} | .x.y = {"z": 1}' a.json`, {
    servers: kite(),
  }),
];

/** Texts with an address or a command that belongs to no server. */
const strangers: readonly TextRow[] = [
  row(
    'the head of a page',
    '---\ntitle: Kite\nurl: https://github.com/acme/kite#start\n---\nText of the page.',
    {
      none: 'No MCP server',
    },
  ),
  row(
    'the head of a page with a server in it',
    `---\ntitle: Kite\ntools: Read\nurl: https://acme.example/kite\n---\nAdd:\n\n\`\`\`json\n{"mcpServers": {"kite": {${own}}}}\n\`\`\``,
    { servers: kite() },
  ),
  row(
    'a head that is a server',
    '---\nname: pond\nurl: https://pond.example.com/mcp\n---\n\nPond has fish.',
    {
      servers: pond(),
    },
  ),
  row(
    'a head that tells the command',
    '---\ntitle: Kite\nimage: https://acme.example/a\ninstall: npx -y kite-mcp\n---\nKites fly.',
    {
      servers: runs('kite-mcp', 'npx', ['-y', 'kite-mcp']),
    },
  ),
  row(
    'the head of a page with a picture',
    '---\ntitle: Kite\nimage: https://acme.example/kite\n---\nKites fly.',
    {
      none: 'No MCP server',
    },
  ),
  row(
    'an agent with a page',
    `{"name": "flyer", "url": "https://acme.example/flyer", "mcpServers": {"kite": {${own}}}}`,
    {
      servers: kite(),
    },
  ),
  row('a page with its name', 'name: kite\nurl: https://github.com/acme/kite\ndescription: Kites', {
    none: 'a GitHub page',
  }),
  row('a page as JSON', '{"name": "kite", "url": "https://github.com/acme/kite"}', { none: 'No MCP server' }),
  row('a page that may be a server', '{"url": "https://pond.example.com/docs/mcp"}', {
    servers: reaches('example', 'https://pond.example.com/docs/mcp'),
    says: 'looks like the address of a web page',
  }),
  row(
    'an API',
    'openapi: 3.0.3\ninfo:\n  title: Pets\nservers:\n  - url: https://api.pets.example/v1\npaths: {}\n',
    {
      none: 'describes an API',
    },
  ),
  row(
    'an API in JSON',
    '{\n  "openapi": "3.1.0",\n  "info": {"title": "Pets"},\n  "servers": [{"url": "https://api.pets.example/v1"}]\n}',
    { none: 'describes an API' },
  ),
  row(
    'an API beside a server',
    `\`\`\`yaml\nopenapi: 3.0.3\nservers:\n  - url: https://api.pets.example/v1\n\`\`\`\n\`\`\`json\n{"mcpServers": {"kite": {${own}}}}\n\`\`\``,
    { servers: kite() },
  ),
  row('variables', '# Kites\nKITE_URL=https://acme.example.com\nexport KITE_TOKEN="a b" # mine\n\nEMPTY=', {
    none: 'These are environment variables',
  }),
  row('variables before a command', 'KITE_MODE=fast\nnpx -y kite-mcp', {
    servers: runs('kite-mcp', 'npx', ['-y', 'kite-mcp'], { env: { KITE_MODE: 'fast' } }),
  }),
  row('a variable with the host of a server', 'POND_URL=https://mcp.pond.example', {
    servers: reaches('pond', 'https://mcp.pond.example'),
  }),
  row('a variable with a server', 'POND_URL=https://pond.example.com/mcp', {
    servers: reaches('example', 'https://pond.example.com/mcp'),
  }),
];

const programs: readonly TextRow[] = [
  row(
    'VS Code',
    `{"inputs": [{"id": "t", "type": "promptString", "password": true}], "servers": {"kite": {"type": "stdio", ${own}, "env": {"K": "\${input:t}"}}}}`,
    { servers: kite({ type: 'stdio', env: { K: '${secret:T}' } }), asks: ['t'] },
  ),
  row('settings of VS Code', `{"editor.tabSize": 2, "mcp": {"servers": {"kite": {${own}}}}}`, {
    servers: kite(),
  }),
  row('settings with a dot', `{"mcp.servers": {"kite": {${own}}}}`, { servers: kite() }),
  row(
    'a dev container',
    `{"image": "x", "customizations": {"vscode": {"mcp": {"servers": {"kite": {${own}}}}}}}`,
    { servers: kite() },
  ),
  row(
    'Zed',
    `{"context_servers": {"kite": {"source": "custom", "command": {"path": "npx", "args": ["-y", "kite-mcp"]}}}}`,
    { servers: kite() },
  ),
  row('Zed, newer', `{"theme": "One", "context_servers": {"kite": {"enabled": true, ${own}, "env": {}}}}`, {
    servers: kite({ env: {} }),
  }),
  row(
    'opencode',
    `{"$schema": "https://opencode.ai/config.json", "mcp": {"kite": {"type": "local", "command": ["npx", "-y", "kite-mcp"], "enabled": true, "environment": {"A": "b"}}}}`,
    { servers: kite({ type: 'stdio', env: { A: 'b' } }) },
  ),
  row(
    'opencode, remote',
    `{"mcp": {"pond": {"type": "remote", "url": "https://pond.example.com/mcp", "enabled": true}}}`,
    { servers: pond({ type: 'http' }) },
  ),
  row('Crush', `{"mcp": {"kite": {"type": "stdio", ${own}, "timeout": 120, "disabled_tools": ["a"]}}}`, {
    servers: kite({ type: 'stdio', timeout: 120_000, patchbay: { disabledTools: ['a'] } }),
  }),
  row(
    'goose',
    'extensions:\n  kite:\n    type: stdio\n    cmd: npx\n    args: [-y, kite-mcp]\n    timeout: 300\n    enabled: true\n    name: kite\n',
    { servers: kite({ type: 'stdio', timeout: 300_000 }) },
  ),
  row(
    'goose with its built-in ones',
    'extensions:\n  developer:\n    type: builtin\n    name: developer\n    enabled: true\n  kite:\n    type: stdio\n    cmd: npx\n    args:\n      - -y\n      - kite-mcp\n    enabled: true\n',
    { servers: kite({ type: 'stdio' }) },
  ),
  row(
    'Continue',
    'name: My\nversion: 0.0.1\nmcpServers:\n  - name: kite\n    command: npx\n    args:\n      - -y\n      - kite-mcp\n    env:\n      K: ${{ secrets.KITE_TOKEN }}\n',
    { servers: kite({ env: { K: '${secret:KITE_TOKEN}' } }), asks: ['KITE_TOKEN'] },
  ),
  row(
    'Continue, older',
    `{"experimental": {"modelContextProtocolServers": [{"name": "kite", "transport": {"type": "stdio", ${own}}}]}}`,
    { servers: kite({ type: 'stdio' }) },
  ),
  row('a list with names', `{"mcpServers": [{"name": "kite", ${own}}]}`, { servers: kite() }),
  row('Amp', `{"amp.mcpServers": {"kite": {${own}}}}`, { servers: kite() }),
  row('Amp with tools', `{"amp.mcpServers": {"kite": {${own}, "includeTools": ["a"]}}}`, {
    servers: kite({ patchbay: { enabledTools: ['a'] } }),
  }),
  row(
    'Codex',
    '[mcp_servers.kite]\ncommand = "npx"\nargs = ["-y", "kite-mcp"]\nstartup_timeout_sec = 20\ntool_timeout_sec = 90\n\n[mcp_servers.kite.env]\nA = "b"\n',
    { servers: kite({ env: { A: 'b' }, timeout: 90_000 }) },
  ),
  row(
    'dates of TOML',
    '[mcp_servers.kite]\ncommand = "npx"\nargs = ["-y", "kite-mcp"]\n\n[mcp_servers.kite.env]\nA = 2024-05-27\nB = 1979-05-27T07:32:00Z\nC = 07:32:00\nD = 1979-05-27T00:32:00.5-07:00\n',
    {
      servers: kite({
        env: {
          A: '2024-05-27',
          B: '1979-05-27T07:32:00Z',
          C: '07:32:00',
          D: '1979-05-27T00:32:00.500-07:00',
        },
      }),
    },
  ),
  row('Codex with a quoted key', '[mcp_servers."kite"]\ncommand = "npx"\nargs = ["-y", "kite-mcp"]\n', {
    servers: kite(),
  }),
  row('Codex in one line', 'mcp_servers = { kite = { command = "npx", args = ["-y", "kite-mcp"] } }', {
    servers: kite(),
  }),
  row('Codex with dots', 'mcp_servers.kite.command = "npx"\nmcp_servers.kite.args = ["-y", "kite-mcp"]\n', {
    servers: kite(),
  }),
  row(
    'Codex with variables by name',
    '[mcp_servers.kite]\ncommand = "npx"\nargs = ["-y", "kite-mcp"]\nenv_vars = ["SET", { name = "HOME" }]\n',
    { servers: kite({ env: { SET: '${SET}', HOME: '${HOME}' } }) },
  ),
  row(
    'Codex, remote',
    '[mcp_servers.pond]\nurl = "https://pond.example.com/mcp"\nbearer_token_env_var = "SET"\nhttp_headers = { A = "b" }\nenv_http_headers = { C = "HOME" }\n',
    { servers: pond({ headers: { A: 'b', C: '${HOME}', Authorization: 'Bearer ${SET}' } }) },
  ),
  row('Codex, off', '[mcp_servers.kite]\ncommand = "npx"\nargs = ["-y", "kite-mcp"]\nenabled = false\n', {
    servers: kite({ disabled: true }),
  }),
  row(
    'a list in TOML',
    '[[mcp_servers]]\nname = "kite"\ntransport = "stdio"\ncommand = "npx"\nargs = ["-y", "kite-mcp"]\n',
    { servers: kite({ type: 'stdio' }) },
  ),
  row(
    'OpenHands',
    '[mcp]\nstdio_servers = [{ name = "kite", command = "npx", args = ["-y", "kite-mcp"] }]\nshttp_servers = ["https://pond.example.com/mcp"]\n',
    { servers: { ...kite(), ...reaches('example', 'https://pond.example.com/mcp') } },
  ),
  row(
    'Hermes',
    'mcp_servers:\n  kite:\n    command: npx\n    args: ["-y", "kite-mcp"]\n    timeout: 120\n    connect_timeout: 60\n    tools:\n      include: [a]\n',
    { servers: kite({ timeout: 120_000, patchbay: { enabledTools: ['a'] } }) },
  ),
  row('YAML without a root', 'kite:\n  command: npx\n  args: ["-y", "kite-mcp"]\n', { servers: kite() }),
  row(
    'YAML inside another',
    'mcp:\n  servers:\n    kite:\n      command: npx\n      args: ["-y", "kite-mcp"]\n',
    { servers: kite() },
  ),
  row('Windsurf', `{"mcpServers": {"pond": {"serverUrl": "https://pond.example.com/mcp"}}}`, {
    servers: pond(),
  }),
  row(
    'Gemini CLI',
    `{"mcpServers": {"pond": {"httpUrl": "https://pond.example.com/mcp", "timeout": 5000, "trust": true}}}`,
    { servers: pond({ type: 'http', timeout: 5000, trust: true }) },
  ),
  row(
    'an extension of Gemini',
    `{"name": "kite-extension", "version": "1.0.0", "mcpServers": {"kite": {${own}}}}`,
    { servers: kite() },
  ),
  row(
    'Cherry Studio',
    `{"mcpServers": {"k1": {"name": "kite", "type": "stdio", "isActive": true, ${own}, "baseUrl": "", "timeout": 60}}}`,
    { servers: runs('k1', 'npx', ['-y', 'kite-mcp'], { name: 'kite', type: 'stdio', timeout: 60_000 }) },
  ),
  row('Copilot CLI', file({ type: 'local', tools: ['*'] }), { servers: kite({ type: 'stdio' }) }),
  row('Roo Code', file({ alwaysAllow: ['a'], timeout: 1800, disabled: false }), {
    servers: kite({ alwaysAllow: ['a'], timeout: 1_800_000, disabled: false }),
  }),
  row('Cline', file({ autoApprove: ['a'], timeout: 1800 }), {
    servers: kite({ autoApprove: ['a'], timeout: 1_800_000 }),
    says: '1800 seconds',
  }),
  row('Kiro', file({ autoApprove: [], timeout: 60_000 }), {
    servers: kite({ autoApprove: [], timeout: 60_000 }),
  }),
  row(
    'an agent with a nested transport',
    `{"mcpServers": {"pond": {"transport": {"type": "streamable-http", "url": "https://pond.example.com/mcp"}}}}`,
    { servers: pond({ type: 'http' }) },
  ),
  row(
    'OpenAI',
    `{"type": "mcp", "server_label": "pond", "server_url": "https://pond.example.com/mcp", "require_approval": "never", "allowed_tools": ["a"]}`,
    { servers: pond({ patchbay: { enabledTools: ['a'] } }) },
  ),
  row(
    'a list of tools of OpenAI',
    `{"tools": [{"type": "web_search"}, {"type": "mcp", "server_label": "pond", "server_url": "https://pond.example.com/mcp"}]}`,
    { servers: pond() },
  ),
  row(
    'Anthropic',
    `{"mcp_servers": [{"type": "url", "url": "https://pond.example.com/mcp", "name": "pond", "authorization_token": "YOUR_TOKEN"}]}`,
    {
      servers: pond({ type: 'http', headers: { Authorization: 'Bearer ${secret:POND_TOKEN}' } }),
      asks: ['pond TOKEN'],
    },
  ),
  row(
    'headers of a request',
    `{"mcpServers": {"pond": {"url": "https://pond.example.com/mcp", "requestInit": {"headers": {"A": "b"}}}}}`,
    { servers: pond({ headers: { A: 'b' } }) },
  ),
  row(
    'a registry entry',
    JSON.stringify({
      name: 'com.acme/kite',
      description: 'Wind',
      version: '1.2.0',
      packages: [
        {
          registryType: 'npm',
          identifier: 'kite-mcp',
          version: '1.2.0',
          transport: { type: 'stdio' },
          environmentVariables: [{ name: 'KITE_TOKEN', isRequired: true, isSecret: true }],
        },
      ],
    }),
    {
      servers: runs('kite', 'npx', ['-y', 'kite-mcp@1.2.0'], { env: { KITE_TOKEN: '${secret:KITE_TOKEN}' } }),
      asks: ['KITE_TOKEN'],
    },
  ),
  row(
    'a registry entry with snakes',
    JSON.stringify({
      name: 'com.acme/kite',
      packages: [
        {
          registry_type: 'pypi',
          identifier: 'kite-mcp',
          version: '1.2.0',
          package_arguments: [{ type: 'positional', value: 'serve' }],
          environment_variables: [{ name: 'A', default: 'b' }],
        },
      ],
    }),
    { servers: runs('kite', 'uvx', ['kite-mcp==1.2.0', 'serve'], { env: { A: 'typed' } }), asks: ['A'] },
  ),
  row(
    'a remote registry entry',
    JSON.stringify({
      server: {
        name: 'com.acme/pond',
        remotes: [
          {
            type: 'streamable-http',
            url: 'https://pond.example.com/mcp',
            headers: [{ name: 'X-Key', isRequired: true, isSecret: true }],
          },
        ],
      },
    }),
    { servers: pond({ type: 'http', headers: { 'X-Key': '${secret:X_KEY}' } }), asks: ['X-Key'] },
  ),
  row(
    'an answer of the registry',
    JSON.stringify({
      servers: [
        {
          server: { name: 'com.acme/pond', remotes: [{ type: 'sse', url: 'https://pond.example.com/mcp' }] },
        },
      ],
      metadata: { count: 1 },
    }),
    { servers: pond({ type: 'sse' }) },
  ),
  row(
    'the manifest of a bundle',
    JSON.stringify({
      manifest_version: '0.3',
      name: 'kite',
      version: '1.0.0',
      server: {
        type: 'node',
        entry_point: 'server/index.js',
        mcp_config: {
          command: 'node',
          args: ['${__dirname}/server/index.js'],
          env: { KITE_TOKEN: '${user_config.token}' },
        },
      },
      user_config: { token: { type: 'string', title: 'Token', sensitive: true, required: true } },
    }),
    {
      servers: runs('kite', 'node', ['typed/server/index.js'], { env: { KITE_TOKEN: '${secret:TOKEN}' } }),
      asks: ['Token', 'Folder of the program'],
    },
  ),
];

/** Numbers and Windows paths that a parser reads as something else. */
const written: readonly TextRow[] = [
  row(
    'numbers of YAML that lose digits',
    'mcpServers:\n  kite:\n    command: npx\n    args: [-y, kite-mcp]\n    env:\n      A: 1.10\n      B: 0755\n      C: +4912345\n      D: 0x1F\n      E: 1187423847234723842',
    {
      servers: kite({ env: { A: '1.10', B: '0755', C: '+4912345', D: '0x1F', E: '1187423847234723842' } }),
    },
  ),
  row(
    'numbers of JSON5',
    `{mcpServers: {kite: {command: 'npx', args: ['-y', 'kite-mcp'], timeout: +60000, env: {A: 0x1F, B: +5, C: .5, D: 5.}}}}`,
    { servers: kite({ timeout: 60_000, env: { A: '31', B: '5', C: '.5', D: '5' } }) },
  ),
  row(
    'paths of Windows of which JSON makes control characters',
    String.raw`{"mcpServers": {"kite": {"command": "C:\tools\node\run.exe", "args": ["%APPDATA%\npm\kite.cmd"]}}}`,
    {
      servers: runs('kite', String.raw`C:\tools\node\run.exe`, [String.raw`typed\npm\kite.cmd`]),
      asks: ['APPDATA'],
    },
  ),
  row(
    'paths of a network, and relative ones, with single backslashes',
    String.raw`{"mcpServers": {"kite": {"command": "\\nas\team\bin\kite.exe", "args": ["..\data\new", ".\build\run.js"]}}}`,
    {
      servers: runs('kite', String.raw`\\nas\team\bin\kite.exe`, [
        String.raw`..\data\new`,
        String.raw`.\build\run.js`,
      ]),
    },
  ),
  row(
    'a path of Windows in TOML',
    String.raw`[mcp_servers.kite]
command = "C:\Program Files\kite\new.exe"
args = ["--dir", "D:\tools\bin"]`,
    {
      servers: runs('kite', String.raw`C:\Program Files\kite\new.exe`, ['--dir', String.raw`D:\tools\bin`]),
    },
  ),
  row(
    'a path of Windows in YAML',
    String.raw`mcpServers:
  kite:
    command: "C:\Program Files\kite\new.exe"
    args: ["D:\tools\bin"]`,
    {
      servers: runs('kite', String.raw`C:\Program Files\kite\new.exe`, [String.raw`D:\tools\bin`]),
    },
  ),
];

const members: readonly TextRow[] = [
  row(
    'null where nothing is',
    file({ env: null, cwd: null, url: null, headers: null, disabled: null, timeout: null, type: null }),
    { servers: kite() },
  ),
  row('empty lists for empty objects', file({ env: [], headers: [] }), { servers: kite() }),
  row('arguments as a text', '{"mcpServers": {"kite": {"command": "npx", "args": "-y kite-mcp"}}}', {
    servers: kite(),
  }),
  row('no arguments', '{"mcpServers": {"kite": {"command": "kite", "args": null}}}', {
    servers: { kite: { command: 'kite' } },
  }),
  row('null among variables', file({ env: { A: 'b', C: null } }), { servers: kite({ env: { A: 'b' } }) }),
  row('variables as a list', file({ env: ['A=b', 'C=d=e'] }), {
    servers: kite({ env: { A: 'b', C: 'd=e' } }),
  }),
  row('variables as a list of names', file({ env: [{ name: 'A', value: 'b' }] }), {
    servers: kite({ env: { A: 'b' } }),
  }),
  row('headers as lines', remote({ headers: 'A: b\nC: d' }), {
    servers: pond({ headers: { A: 'b', C: 'd' } }),
  }),
  row('enabled: "false"', file({ enabled: 'false' }), { servers: kite({ disabled: true }) }),
  row('enabled: 0', file({ enabled: 0 }), { servers: kite({ disabled: true }) }),
  row('disabled: "false"', file({ disabled: 'false' }), { servers: kite({ disabled: false }) }),
  row('disabled: "true"', file({ disabled: 'true' }), { servers: kite({ disabled: true }) }),
  row('isActive: false', file({ isActive: false }), { servers: kite({ disabled: true }) }),
  row('disabled in options', file({ options: { disabled: true } }), { servers: kite({ disabled: true }) }),
  row('a timeout as a text', file({ timeout: '30' }), {
    servers: kite({ timeout: 30_000 }),
    says: '30 seconds',
  }),
  row('a timeout of milliseconds as a text', file({ timeout: '60000' }), {
    servers: kite({ timeout: 60_000 }),
  }),
  row('a timeout in two units', file({ timeout: '1m30s' }), { servers: kite({ timeout: 90_000 }) }),
  row(
    'a timeout of YAML with decimals',
    'extensions:\n  kite:\n    cmd: npx\n    args: [-y, kite-mcp]\n    timeout: 60.0\n',
    {
      servers: kite({ timeout: 60_000 }),
    },
  ),
  row('a limit of calls that is no time', file({ toolTimeout: 'soon' }), {
    servers: kite({ timeout: 'soon' }),
    says: 'calls have no limit',
  }),
  row('a timeout with its unit', file({ timeout: '90s' }), { servers: kite({ timeout: 90_000 }) }),
  row('a timeout that is not sure', file({ timeout: 1800 }), {
    servers: kite({ timeout: 1800 }),
    says: '1.8 seconds',
  }),
  row('a timeout in milliseconds', file({ timeout: 60_000 }), { servers: kite({ timeout: 60_000 }) }),
  row('timeoutMs', file({ timeoutMs: 4000 }), { servers: kite({ timeout: 4000 }) }),
  row('no timeout', file({ timeout: 0 }), { servers: kite() }),
  row(
    'a shell around it',
    '{"mcpServers": {"kite": {"command": "cmd", "args": ["/c", "npx", "-y", "kite-mcp"]}}}',
    { servers: kite() },
  ),
  row(
    'a shell with a line',
    '{"mcpServers": {"kite": {"command": "bash", "args": ["-c", "npx -y kite-mcp"]}}}',
    { servers: kite() },
  ),
  row(
    'a shell that does more',
    '{"mcpServers": {"kite": {"command": "bash", "args": ["-c", "source x && npx -y kite-mcp"]}}}',
    { servers: { kite: { command: 'bash', args: ['-c', 'source x && npx -y kite-mcp'] } } },
  ),
  row('enabled_tools', file({ enabled_tools: ['a'] }), {
    servers: kite({ patchbay: { enabledTools: ['a'] } }),
  }),
  row('toolFilter', file({ toolFilter: { mode: 'allow', list: ['a'] } }), {
    servers: kite({ patchbay: { enabledTools: ['a'] } }),
  }),
  row('toolFilter that blocks', file({ toolFilter: { mode: 'block', list: ['a'] } }), {
    servers: kite({ patchbay: { disabledTools: ['a'] } }),
  }),
  row('tools.include and tools.exclude', file({ tools: { include: ['a', 'b'], exclude: ['b'] } }), {
    servers: kite({ patchbay: { enabledTools: ['a', 'b'], disabledTools: ['b'] } }),
  }),
  row('all tools', file({ tools: ['*'] }), { servers: kite() }),
  row('what need not be asked about', file({ alwaysAllow: ['a'] }), {
    servers: kite({ alwaysAllow: ['a'] }),
  }),
  row(
    'both fields, one empty',
    '{"mcpServers": {"pond": {"command": "", "args": [], "url": "https://pond.example.com/mcp"}}}',
    { servers: pond() },
  ),
  row('type url', remote({ type: 'url' }), { servers: pond({ type: 'http' }) }),
  row(
    'an entry that installs',
    '{"mcpServers": {"kite": {"command": "npx", "args": ["-y", "@smithery/cli", "install", "@acme/kite"]}}}',
    { says: 'installs servers' },
  ),
];

const references: readonly TextRow[] = [
  row('${X}', env('${SET}'), { servers: kite({ env: { KITE_TOKEN: '${SET}' } }) }),
  row('${env:X}', env('${env:SET}'), { servers: kite({ env: { KITE_TOKEN: '${env:SET}' } }) }),
  row('${X:-default}', env('${GONE:-b}'), { servers: kite({ env: { KITE_TOKEN: '${GONE:-b}' } }) }),
  row('{env:X}', env('{env:SET}'), { servers: kite({ env: { KITE_TOKEN: '${SET}' } }) }),
  row('{env:X} in a header', remote({ headers: { 'X-Key': 'Key {env:SET}' } }), {
    servers: pond({ headers: { 'X-Key': 'Key ${SET}' } }),
  }),
  row('$env:X', env('$env:SET'), { servers: kite({ env: { KITE_TOKEN: '${SET}' } }) }),
  row('process.env.X', env('process.env.SET'), { servers: kite({ env: { KITE_TOKEN: '${SET}' } }) }),
  row('${process.env.X}', env('${process.env.SET}'), { servers: kite({ env: { KITE_TOKEN: '${SET}' } }) }),
  row('os.environ', env("os.environ['SET']"), { servers: kite({ env: { KITE_TOKEN: '${SET}' } }) }),
  row('%X%', env('%SET%'), { servers: kite({ env: { KITE_TOKEN: '${SET}' } }) }),
  row('{plain}', file({ env: { FORMAT: '{plain}' } }), { servers: kite({ env: { FORMAT: '{plain}' } }) }),
  row('{file:X}', env('{file:~/.kite}'), {
    servers: kite({ env: { KITE_TOKEN: '${secret:KITE}' } }),
    asks: ['.kite'],
  }),
  row('${file:X}', env('${file:~/.kite}'), {
    servers: kite({ env: { KITE_TOKEN: '${secret:KITE}' } }),
    asks: ['.kite'],
  }),
  row('${input:x}', env('${input:kite-token}'), {
    servers: kite({ env: { KITE_TOKEN: '${secret:KITE_TOKEN}' } }),
    asks: ['kite-token'],
  }),
  row('${{ secrets.X }}', env('${{ secrets.KITE }}'), {
    servers: kite({ env: { KITE_TOKEN: '${secret:KITE}' } }),
    asks: ['KITE'],
  }),
  row('{{X}}', env('{{KITE}}'), asked),
  row('op://', env('op://vault/kite/token'), {
    servers: kite({ env: { KITE_TOKEN: '${secret:KITE_TOKEN}' } }),
    asks: ['kite token'],
  }),
  row('<YOUR_KEY>', env('<YOUR_KEY>'), asked),
  row('YOUR_API_KEY', env('YOUR_API_KEY'), asked),
  row('your-api-key-here', env('your-api-key-here'), asked),
  row('xxx', env('xxx'), asked),
  row('sk-...', env('sk-...'), asked),
  row('sk-xxxx', env('sk-xxxxxxxx'), asked),
  row('ghp_xxxx', env('ghp_xxxxxxxxxxxx'), asked),
  row('xoxb-your-bot-token', env('xoxb-your-bot-token'), asked),
  row('three dots', env('...'), asked),
  row('stars', env('***'), asked),
  row('nothing under a secret name', env(''), asked),
  row('[KEY]', env('[YOUR KEY]'), asked),
  row('REPLACE_ME', env('REPLACE_ME'), asked),
  row('TOKEN_HERE', env('PASTE_YOUR_TOKEN_HERE'), asked),
  row('a placeholder in a header', remote({ headers: { Authorization: 'Bearer <token>' } }), {
    servers: pond({ headers: { Authorization: 'Bearer ${secret:POND_TOKEN}' } }),
    asks: ['pond token'],
  }),
  row(
    'a placeholder in an address',
    '{"mcpServers": {"pond": {"url": "https://pond.example.com/mcp?api_key=YOUR_API_KEY"}}}',
    {
      servers: reaches('pond', 'https://pond.example.com/mcp?api_key=${secret:POND_API_KEY}'),
      asks: ['pond API_KEY'],
    },
  ),
  row(
    'a placeholder in a connection',
    '{"mcpServers": {"lake": {"command": "lake", "args": ["postgresql://ann:<password>@db/lake"]}}}',
    {
      servers: runs('lake', 'lake', ['postgresql://ann:${secret:LAKE_PASSWORD}@db/lake']),
      asks: ['lake password'],
    },
  ),
  row('two placeholders that read the same', file({ env: { A_KEY: 'xxx', B_KEY: 'xxx' } }), {
    servers: kite({ env: { A_KEY: '${secret:A_KEY}', B_KEY: '${secret:B_KEY}' } }),
    asks: ['A_KEY', 'B_KEY'],
  }),
  row('${userHome}', file({ cwd: '${userHome}/kite' }), { servers: kite({ cwd: '${HOME}/kite' }) }),
  row('${workspaceFolder}', file({ cwd: '${workspaceFolder}/kite' }), {
    servers: kite({ cwd: 'typed/kite' }),
    asks: ['Workspace folder'],
  }),
  row('$(…)', env('$(pass show kite)'), {
    servers: kite({ env: { KITE_TOKEN: '${secret:KITE_TOKEN}' } }),
    asks: ['KITE_TOKEN'],
  }),
  row(
    'what was left out',
    '{\n "mcpServers": {\n  "kite": { "command": "npx", "args": ["-y", "kite-mcp", ...], ... },\n  ...\n }\n}',
    { servers: kite() },
  ),
  row(
    'a call with named arguments',
    'params = StdioServerParameters(\n  command="npx",\n  args=["-y", "kite-mcp"],\n  env=None,\n)',
    {
      servers: runs('kite-mcp', 'npx', ['-y', 'kite-mcp']),
    },
  ),
  row(
    'a variable of a program among arguments',
    'x = {"command": "npx", "args": ["-y", "kite-mcp", folder]}',
    {
      servers: runs('x', 'npx', ['-y', 'kite-mcp', 'typed']),
      asks: ['folder'],
    },
  ),
  row(
    'tools that are switched off one by one',
    file({ tools: { a: { enabled: false }, b: { enabled: true } } }),
    {
      servers: kite({ patchbay: { disabledTools: ['a'] } }),
    },
  ),
  row('an empty list of tools', file({ tools: [] }), { servers: kite(), says: 'as all tools' }),
  row('a path of instructions', file({ cwd: '/path/to/kite' }), {
    servers: kite({ cwd: '/path/to/kite' }),
    says: 'is an example',
  }),
  row(
    'a password of instructions',
    '{"mcpServers": {"lake": {"command": "lake", "args": ["pg://user:password@db/lake"]}}}',
    {
      servers: runs('lake', 'lake', ['pg://user:${secret:LAKE_PASSWORD}@db/lake']),
      asks: ['lake password'],
    },
  ),
  row('${X:?}', env('${SET:?is missing}'), { servers: kite({ env: { KITE_TOKEN: '${SET}' } }) }),
  row('HTML in a value', file({ env: { NOTE: 'a <b>bold</b> a<c>d' } }), {
    servers: kite({ env: { NOTE: 'a <b>bold</b> a<c>d' } }),
  }),
  row('a scheme without its token', remote({ headers: { Authorization: 'Bearer ' } }), {
    servers: pond({ headers: { Authorization: 'Bearer ${secret:POND_TOKEN}' } }),
    asks: ['pond token'],
  }),
  row('a client that was registered', remote({ oauth: { clientId: 'me', scopes: 'read write' } }), {
    servers: pond({ patchbay: { oauth: { clientId: 'me', scopes: ['read', 'write'] } } }),
  }),
  row(
    'a client that was registered with Cursor',
    remote({ auth: { CLIENT_ID: 'me', CLIENT_SECRET: 'ab12cd34' } }),
    {
      servers: pond({
        patchbay: { oauth: { clientId: 'me', clientSecret: '${secret:POND_CLIENT_SECRET}' } },
      }),
    },
  ),
  row('empty texts', file({ cwd: '', envFile: '', url: '' }), { servers: kite() }),
  row(
    'a shell that sets a variable',
    '{"mcpServers": {"kite": {"command": "sh", "args": ["-c", "A=b npx -y kite-mcp"]}}}',
    {
      servers: kite({ env: { A: 'b' } }),
    },
  ),
  row(
    'env before the program',
    '{"mcpServers": {"kite": {"command": "env", "args": ["A=b", "npx", "-y", "kite-mcp"]}}}',
    {
      servers: kite({ env: { A: 'b' } }),
    },
  ),
  row('a word of another program', env('${keyvault:kite}'), {
    servers: kite({ env: { KITE_TOKEN: '${secret:KITE}' } }),
    asks: ['kite'],
  }),
  row('${ENV:X}', env('${ENV:SET}'), { servers: kite({ env: { KITE_TOKEN: '${SET}' } }) }),
  row('env:X', env('env:SET'), { servers: kite({ env: { KITE_TOKEN: '${SET}' } }) }),
  row('#{X}', env('#{KITE}'), asked),
  row('__X__', env('__KITE__'), asked),
  row('disable: true', file({ disable: true }), { servers: kite({ disabled: true }) }),
  row('a real secret', env('kt_9fA2bC7dE1gH4jK8'), {
    servers: kite({ env: { KITE_TOKEN: '${secret:KITE_TOKEN}' } }),
  }),
  row('dots in one sign', env('…'), asked),
  row('a word for what was taken out', env('REDACTED'), asked),
  row('an example that says so', env('example-key'), asked),
  row('a key by its kind', env('personal-access-token'), asked),
  row('a word of another language', env('tu_clave_api'), asked),
  row('letters of another script', env('你的密钥'), asked),
  row('a mark of a template', env('@@KITE@@'), asked),
  row('a place of a keychain', env('keychain:kite'), asked),
  row('advice to leave it out', env('leave-empty-if-unused'), asked),
  row('a real secret that begins like a word', env('your2Kx9QmR4tB8wZ1vN5cL7'), {
    servers: kite({ env: { KITE_TOKEN: '${secret:KITE_TOKEN}' } }),
  }),
  row('an ordinary value', file({ env: { MODE: 'your choice', LEVEL: 'info' } }), {
    servers: kite({ env: { MODE: 'typed', LEVEL: 'info' } }),
    asks: ['MODE'],
  }),
];

export const configRows: readonly TextRow[] = [
  ...fragments,
  ...margins,
  ...strangers,
  ...programs,
  ...members,
  ...written,
  ...references,
];
