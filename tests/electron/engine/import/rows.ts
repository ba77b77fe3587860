// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.

/** Texts that people paste and clients store: odd inputs found in the wild (research, "Real test inputs"). */
export interface InputRow {
  readonly row: number;
  readonly what: string;
  /** The server, under the key `x` unless `text` says otherwise. */
  readonly server?: object;
  /** A whole text instead. */
  readonly text?: string;
  /** The expected entry; undefined if it cannot be run. */
  readonly entry?: object;
  readonly key?: string;
  /** Fields with an error or a warning. */
  readonly errors?: readonly string[];
  readonly warnings?: readonly string[];
  /** Ids of the inputs to ask for. */
  readonly inputs?: readonly string[];
}

const npx = { command: 'npx', args: ['-y', 's'] };

export const inputRows: readonly InputRow[] = [
  {
    row: 1,
    what: 'a nested transport without a command',
    server: { transport: { type: 'http', url: 'https://h/mcp', headers: { A: 'b' } } },
    entry: { type: 'http', url: 'https://h/mcp', headers: { A: 'b' } },
  },
  {
    row: 3,
    what: 'npx as the type and no command',
    server: { type: 'npx', args: ['-y', 's'] },
    errors: ['type', 'command'],
  },
  {
    row: 5,
    what: 'a number in env',
    server: { ...npx, env: { PORT: 8080, ON: true } },
    entry: { ...npx, env: { PORT: '8080', ON: 'true' } },
    warnings: ['env.PORT', 'env.ON'],
  },
  {
    row: 6,
    what: 'disabled, autoApprove and an empty env',
    server: { ...npx, disabled: false, autoApprove: [], env: {} },
    entry: { ...npx, disabled: false, autoApprove: [], env: {} },
  },
  {
    row: 8,
    what: 'a byte order mark',
    text: '\uFEFF{"mcpServers": {"x": {"command": "npx", "args": ["-y", "s"]}}}',
    entry: npx,
  },
  {
    row: 9,
    what: 'a Windows path as command',
    server: { command: 'C:\\Users\\ann\\AppData\\Roaming\\npm\\npx.cmd', args: ['-y', 's'] },
    entry: { command: 'C:\\Users\\ann\\AppData\\Roaming\\npm\\npx.cmd', args: ['-y', 's'] },
  },
  {
    row: 11,
    what: 'comments',
    text: '{\n  // one\n  "mcpServers": { /* two */ "x": { "command": "npx", "args": ["-y", "s"] } } // three\n}',
    entry: npx,
  },
  {
    row: 12,
    what: 'trailing commas',
    text: '{"mcpServers": {"x": {"command": "npx", "args": ["-y", "s",],},},}',
    entry: npx,
  },
  ...['streamable-http', 'streamableHttp', 'streamable_http'].map((type) => ({
    row: 13,
    what: type,
    server: { type, url: 'https://h/mcp' },
    entry: { type: 'http', url: 'https://h/mcp' },
  })),
  {
    row: 15,
    what: 'a repository as key',
    text: '{"mcpServers": {"github.com/executeautomation/mcp-playwright": {"command": "npx", "args": ["-y", "s"]}}}',
    key: 'mcp-playwright',
    entry: npx,
  },
  {
    row: 15,
    what: 'a name of a registry as key',
    text: '{"mcpServers": {"com.atlassian/atlassian-mcp-server": {"url": "https://h/mcp"}}}',
    key: 'atlassian-mcp-server',
    entry: { url: 'https://h/mcp' },
  },
  {
    row: 19,
    what: 'a reference in a header',
    server: { url: 'https://h/mcp', headers: { Authorization: 'Bearer ${env:SET}' } },
    entry: { url: 'https://h/mcp', headers: { Authorization: 'Bearer ${env:SET}' } },
  },
  {
    row: 20,
    what: 'references with defaults, nested ones, and one that is not set',
    server: { command: '${SET:-npx}', args: ['${A:-${B:-c}}'], env: { D: '${GONE}' } },
    entry: { command: '${SET:-npx}', args: ['${A:-${B:-c}}'], env: { D: '${GONE}' } },
    warnings: ['env.D'],
  },
  {
    row: 21,
    what: 'an input of VS Code',
    text: '{"inputs": [{"type": "promptString", "id": "token", "description": "Your token", "password": true}], "servers": {"x": {"type": "http", "url": "https://h/mcp", "headers": {"Authorization": "Bearer ${input:token}"}}}}',
    entry: { type: 'http', url: 'https://h/mcp', headers: { Authorization: 'Bearer ${secret:TOKEN}' } },
    inputs: ['input:token'],
  },
  {
    row: 23,
    what: 'the root of VS Code with trailing commas',
    text: '{"servers": {"x": {"command": "npx", "args": ["-y", "s"],}},}',
    entry: npx,
  },
  { row: 27, what: 'serverUrl', server: { serverUrl: 'https://h/mcp' }, entry: { url: 'https://h/mcp' } },
  {
    row: 27,
    what: 'httpUrl',
    server: { httpUrl: 'https://h/mcp' },
    entry: { type: 'http', url: 'https://h/mcp' },
  },
  {
    row: 27,
    what: 'baseUrl and isActive',
    server: { type: 'streamableHttp', baseUrl: 'https://h/mcp', isActive: false },
    entry: { type: 'http', url: 'https://h/mcp', disabled: true },
  },
  {
    row: 28,
    what: 'a working folder and PYTHONPATH',
    server: { command: 'uv', cwd: '/srv/m', env: { PYTHONPATH: '/srv/m' } },
    entry: { command: 'uv', cwd: '/srv/m', env: { PYTHONPATH: '/srv/m' } },
  },
];

/** Returns the text of a row, beside a server that must not be lost because of it. */
export function textOfRow({ text, server }: InputRow): string {
  return text ?? JSON.stringify({ mcpServers: { x: server, good: { command: 'good' } } });
}
