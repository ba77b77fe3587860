// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import { reaches, row, runs, type TextRow } from './row.ts';

const config = (server: object) => JSON.stringify({ mcpServers: { kite: server } });
const env = (values: object) => config({ command: 'npx', args: ['-y', 'kite-mcp'], env: values });
const kite = (values: object) => runs('kite', 'npx', ['-y', 'kite-mcp'], { env: values });
const run = (command: string, args: readonly string[], more: object = {}) =>
  config({ command, args, ...more });
const address = 'https://pond.example.com/mcp';
/** One variable as written, and as imported. */
const variable = (
  what: string,
  name: string,
  written: string,
  becomes: string,
  asks: readonly string[] = [],
) => row(what, env({ [name]: written }), { servers: kite({ [name]: becomes }), asks });
/** A variable that instructions leave open. */
const open = (name: string, written: string) =>
  variable(`${name}=${written}`, name, written, `\${secret:${name}}`, [name]);
/** A variable that stays as written. */
const kept = (name: string, written: string) => variable(`${name}=${written}`, name, written, written);
const token = '9f8a7b6c5d4e3f2a1b0c9d8e';
const python = (header: string) =>
  `server = MCPServerStreamableHttp(params={"url": "${address}", "headers": {"Authorization": ${header}}})`;

/** Values of variables, headers and options: real ones and placeholders. */
export const valueRows: readonly TextRow[] = [
  // Variables that an entry sets for itself.
  row(
    'a bridge with a header that the entry knows',
    run('npx', ['-y', 'mcp-remote', address, '--header', 'Authorization:${AUTH_HEADER}'], {
      env: { AUTH_HEADER: `Bearer ${token}` },
    }),
    {
      servers: runs(
        'kite',
        'npx',
        ['-y', 'mcp-remote', address, '--header', 'Authorization:$${AUTH_HEADER}'],
        { env: { AUTH_HEADER: 'Bearer ${secret:AUTH_HEADER}' } },
      ),
      waits: [],
    },
  ),
  row(
    'variables of the entry in its arguments',
    run(
      'docker',
      ['run', '-e', 'KITE_TOKEN=${KITE_KEY}', '--host=$KITE_HOST', '-p=${PORT:-80}', 'acme/kite'],
      {
        env: { KITE_KEY: 'hush', KITE_HOST: 'kite.example.com', PORT: '8080' },
      },
    ),
    {
      servers: runs(
        'kite',
        'docker',
        ['run', '-e', 'KITE_TOKEN=${secret:KITE_KEY}', '--host=kite.example.com', '-p=8080', 'acme/kite'],
        { env: { KITE_KEY: '${secret:KITE_KEY}', KITE_HOST: 'kite.example.com', PORT: '8080' } },
      ),
      waits: [],
    },
  ),
  row(
    'a variable of the machine that the entry passes on',
    run('npx', ['-y', 'kite-mcp', '--token', '${KITE_TOKEN}', '$$KITE_TOKEN'], {
      env: { KITE_TOKEN: '${KITE_TOKEN}' },
    }),
    {
      servers: runs('kite', 'npx', ['-y', 'kite-mcp', '--token', '${KITE_TOKEN}', '$$KITE_TOKEN'], {
        env: { KITE_TOKEN: '${KITE_TOKEN}' },
      }),
      waits: ['KITE_TOKEN', 'KITE_TOKEN'],
    },
  ),

  // Several placeholders in one variable.
  variable(
    'a connection string',
    'KITE_CONNECTION_STRING',
    'mongodb+srv://<username>:<password>@cluster0.acme.example/db',
    'mongodb+srv://typed:${secret:KITE_CONNECTION_STRING_PASSWORD}@cluster0.acme.example/db',
    ['KITE_CONNECTION_STRING username', 'KITE_CONNECTION_STRING password'],
  ),
  variable(
    'an address of a database in parts',
    'DATABASE_URL',
    'postgresql://<user>:<pw>@<host>:<port>/<database>',
    'postgresql://typed:${secret:DATABASE_URL_PW}@typed:8080/typed',
    [
      ...['DATABASE_URL user', 'DATABASE_URL pw', 'DATABASE_URL host'],
      ...['DATABASE_URL port', 'DATABASE_URL database'],
    ],
  ),
  variable(
    'an address of a database in capitals',
    'DATABASE_URL',
    'postgresql://YOUR_USER:YOUR_PASSWORD@localhost/db',
    'postgresql://typed:${secret:DATABASE_URL_PASSWORD}@localhost/db',
    ['DATABASE_URL USER', 'DATABASE_URL PASSWORD'],
  ),
  variable(
    'a password alone in an address',
    'DATABASE_URL',
    'postgresql://kite:xxxx@localhost/db',
    'postgresql://kite:${secret:DATABASE_URL_PASSWORD}@localhost/db',
    ['DATABASE_URL password'],
  ),
  row(
    'a connection string in words',
    run('docker', ['run', '-e', 'DB=Server=<server>;Password=<word>', 'acme/kite']),
    {
      servers: runs('kite', 'docker', [
        ...['run', '-e', 'DB=Server=typed;Password=${secret:DB_WORD}', 'acme/kite'],
      ]),
      asks: ['DB server', 'DB word'],
    },
  ),

  // Secrets inside the value of a variable.
  variable(
    'a token in JSON',
    'KITE_HEADERS',
    `{"Authorization": "Bearer ${token}", "Kite-Version": "2026-06-28"}`,
    '{"Authorization": "Bearer ${secret:KITE_HEADERS_TOKEN}", "Kite-Version": "2026-06-28"}',
  ),
  variable(
    'a masked token in JSON',
    'KITE_HEADERS',
    '{"Authorization": "Bearer ntn_****", "Kite-Version": "2026-06-28"}',
    '{"Authorization": "Bearer ${secret:KITE_HEADERS}", "Kite-Version": "2026-06-28"}',
    ['KITE_HEADERS'],
  ),
  variable(
    'a token in a line of a header',
    'HEADERS',
    `X-Api-Key: ${token}`,
    'X-Api-Key: ${secret:HEADERS_API_KEY}',
  ),
  variable(
    'a token in a list of headers',
    'OTEL_HEADERS',
    `x-scope=acme,authorization=Bearer ${token}`,
    'x-scope=acme,authorization=Bearer ${secret:OTEL_HEADERS_TOKEN}',
  ),
  row(
    'a token in JSON among arguments',
    run('npx', ['-y', 'kite-mcp', '--headers', `{"Token":"${token}"}`]),
    {
      servers: runs('kite', 'npx', ['-y', 'kite-mcp', '--headers', '{"Token":"${secret:KITE_TOKEN}"}']),
    },
  ),
  kept('KITE_TABLE', '{"primaryKey":"identifier","sort":{"key":"created"}}'),
  kept('KITE_PROMPT', 'Token: always be careful, please'),
  kept('KITE_LABELS', 'key:value'),

  // Placeholder keys.
  open('A_API_KEY', 'AIza...'),
  open('B_TOKEN', 'ghp_1234...'),
  open('C_TOKEN', 'eyJhbGciOi…'),
  open('D_TOKEN', 'sk-1234...abcd'),
  open('E_TOKEN', 'ghp_12****'),
  kept('GREETING', 'Loading...'),
  open('A_TOKEN', 'hf_YOUR_TOKEN'),
  open('B_KEY', 'lin_api_YOUR_KEY'),
  open('C_KEY', 'AIzaSyYOUR_KEY'),
  open('D_KEY', 're_YOUR_API_KEY'),
  open('E_KEY', 'fc-YOUR_API_KEY'),
  open('F_KEY', 'sk-proj-YOUR_KEY'),
  open('G_KEY', 'ctx7sk-YOUR_API_KEY'),
  open('H_TOKEN', 'pk.your_kite_token'),
  row('a key amid an address', config({ url: 'https://pond.example.com/fc-YOUR_API_KEY/mcp' }), {
    servers: reaches('kite', 'https://pond.example.com/${secret:KITE_API_KEY}/mcp'),
    asks: ['kite API_KEY'],
  }),
  row('a host with a beginning of its own', config({ url: 'https://eu-YOUR_REGION.example.com/mcp' }), {
    servers: reaches('kite', 'https://eu-typed.example.com/mcp'),
    asks: ['REGION'],
  }),

  // Arguments are read like variables.
  row(
    'variables of a container',
    'docker run -i --rm -e A_API_KEY=xxx -e B_API_KEY=... -e C_KEY=api_key -e D_TOKEN=token -e MODE=token acme/kite-mcp',
    {
      servers: runs('kite-mcp', 'docker', [
        ...[
          'run',
          '-i',
          '--rm',
          '-e',
          'A_API_KEY=${secret:A_API_KEY}',
          '-e',
          'B_API_KEY=${secret:B_API_KEY}',
        ],
        ...[
          '-e',
          'C_KEY=${secret:C_KEY}',
          '-e',
          'D_TOKEN=${secret:D_TOKEN}',
          '-e',
          'MODE=token',
          'acme/kite-mcp',
        ],
      ]),
      asks: ['A_API_KEY', 'B_API_KEY', 'C_KEY', 'D_TOKEN'],
    },
  ),
  row(
    'a name and a password of a container',
    run('docker', ['run', '-e', 'A_PASSWORD=password', '-e', 'A_USER=your.email@company.com', 'acme/kite']),
    {
      servers: runs('kite', 'docker', [
        ...['run', '-e', 'A_PASSWORD=${secret:A_PASSWORD}', '-e', 'A_USER=typed', 'acme/kite'],
      ]),
      asks: ['A_PASSWORD', 'A_USER'],
    },
  ),
  row(
    'options',
    run('npx', ['-y', 'kite-mcp', '--api-key=xxx', '--token', 'token', '--host', 'your-store.example.com']),
    {
      servers: runs('kite', 'npx', [
        ...['-y', 'kite-mcp', '--api-key=${secret:KITE_API_KEY}', '--token', '${secret:KITE_TOKEN}'],
        ...['--host', 'typed'],
      ]),
      asks: ['kite api-key', 'kite token', 'store.example.com'],
    },
  ),
  row(
    'a header among arguments',
    run('npx', ['mcp-remote', address, '--header', 'X-Api-Key: xxx', '--header', 'X-Mode: token']),
    {
      servers: runs('kite', 'npx', [
        ...['mcp-remote', address, '--header', 'X-Api-Key: ${secret:X_API_KEY}', '--header', 'X-Mode: token'],
      ]),
      asks: ['X-Api-Key'],
    },
  ),
  row('values that look like names', run('npx', ['-y', 'kite-mcp', '--filter', 'token', '--glob', '...']), {
    servers: runs('kite', 'npx', ['-y', 'kite-mcp', '--filter', 'token', '--glob', '...']),
  }),

  // Addresses with an example host.
  ...[
    ['https://your-company.acme.example', 'https://typed.acme.example', 'company'],
    ['https://your-server.com/api', 'https://typed/api', 'server'],
    ['https://mcp.yourdomain.com', 'https://mcp.typed', 'domain'],
    ['https://yourcompany.acme.example', 'https://typed.acme.example', 'company'],
    ['https://{your-domain}.acme.example', 'https://typed.acme.example', 'domain'],
    ['https://{subdomain}.acme.example', 'https://typed.acme.example', 'subdomain'],
    ['https://xxx.acme.example', 'https://typed.acme.example', 'host'],
    ['http://YOUR_HOST:3000', 'http://typed:3000', 'HOST'],
  ].map(([written = '', becomes = '', word]) =>
    variable(written, 'KITE_URL', written, becomes, [`KITE_URL ${word}`]),
  ),
  kept('KITE_URL', 'https://yourkites.example.com/your-page'),
  kept('KITE_URL', 'https://api.acme.example/{id}/wind'),
  row('an address alone with a name that nobody has', 'https://your-server.com/mcp', {
    servers: reaches('server', 'https://typed/mcp'),
    asks: ['server'],
  }),
  row('a parameter in one word', config({ url: `${address}?kiteApiKey=YOURKITEKEY&format=KEY` }), {
    servers: reaches('kite', `${address}?kiteApiKey=\${secret:KITE_API_KEY}&format=KEY`),
    asks: ['kiteApiKey'],
  }),
  row('a parameter in capitals', config({ url: `${address}?token=TOKEN` }), {
    servers: reaches('kite', `${address}?token=\${secret:KITE_TOKEN}`),
    asks: ['kite token'],
  }),
  row('an address that is to be filled in', config({ type: 'http', url: '<YOUR_MCP_URL>' }), {
    servers: reaches('kite', 'typed', { type: 'http' }),
    asks: ['MCP_URL'],
  }),
  row(
    'a token as the user of an address',
    run('uvx', ['--from', 'git+https://<TOKEN>@github.com/acme/kite', 'kite-mcp']),
    {
      servers: runs('kite', 'uvx', [
        '--from',
        'git+https://${secret:KITE_TOKEN}@github.com/acme/kite',
        'kite-mcp',
      ]),
      asks: ['kite TOKEN'],
    },
  ),
  variable(
    'a token as the user of an address in a variable',
    'REPO',
    'https://<token>@github.com/acme/kite',
    'https://${secret:REPO_TOKEN}@github.com/acme/kite',
    ['REPO token'],
  ),

  // Scripts belong to their shell.
  row(
    'a script that looks for its program',
    run('bash', [
      '-c',
      'for p in $(which uvx) $HOME/bin/uvx; do [ -x "$p" ] && exec "$p" kite-mcp; done; exit 1',
    ]),
    {
      servers: runs('kite', 'bash', [
        '-c',
        'for p in $(which uvx) $$HOME/bin/uvx; do [ -x "$$p" ] && exec "$$p" kite-mcp; done; exit 1',
      ]),
    },
  ),
  row(
    'a script in a folder',
    run('sh', ['-c', 'cd "$(git rev-parse --show-toplevel)" && exec npx -y kite-mcp']),
    {
      servers: runs('kite', 'sh', ['-c', 'cd "$(git rev-parse --show-toplevel)" && exec npx -y kite-mcp']),
    },
  ),
  row(
    'a script that asks a keychain',
    run('zsh', ['-lc', 'KITE_TOKEN=$(security find kite) npx -y kite-mcp']),
    {
      servers: runs('kite', 'zsh', ['-lc', 'KITE_TOKEN=$(security find kite) npx -y kite-mcp']),
    },
  ),
  row(
    'a script with variables of its entry',
    run('sh', ['-c', 'exec kite-mcp --token $KITE_TOKEN --wind ${WIND}'], { env: { KITE_TOKEN: 'hush' } }),
    {
      servers: runs('kite', 'sh', ['-c', 'exec kite-mcp --token $$KITE_TOKEN --wind ${WIND}'], {
        env: { KITE_TOKEN: '${secret:KITE_TOKEN}' },
      }),
      waits: ['WIND'],
    },
  ),
  row(
    'a script with what is to be filled in',
    run('bash', ['-c', 'cd ${workspaceFolder} && KEY=<your-key> kite']),
    {
      servers: runs('kite', 'bash', ['-c', 'cd typed && KEY=${secret:KITE_KEY} kite']),
      asks: ['kite key', 'Workspace folder'],
    },
  ),
  row('an option that only looks like that of a shell', run('kite', ['-c', '$HOME/kite.json']), {
    servers: runs('kite', 'kite', ['-c', '$HOME/kite.json']),
  }),

  // Values that a program computes.
  row('a text of Python with a variable', python('f"Bearer {token}"'), {
    servers: reaches('example', address, { headers: { Authorization: 'Bearer ${secret:TOKEN}' } }),
    asks: ['token'],
  }),
  row('a text of Python with a variable of the machine', python(`f"Bearer {os.getenv('KITE_TOKEN')}"`), {
    servers: reaches('example', address, { headers: { Authorization: 'Bearer ${KITE_TOKEN}' } }),
    waits: ['KITE_TOKEN'],
  }),
  row('a text of Python with quotes in quotes', python('f"Bearer {os.environ["KITE_TOKEN"]}"'), {
    servers: reaches('example', address, { headers: { Authorization: 'Bearer ${KITE_TOKEN}' } }),
  }),
  row('a text of Python with a member', python('f"Bearer {settings.kite_token}"'), {
    servers: reaches('example', address, { headers: { Authorization: 'Bearer ${secret:KITE_TOKEN}' } }),
    asks: ['kite_token'],
  }),
  open('A_KEY', '{api_key}'),
  open('B_KEY', '{API_KEY}'),
  kept('KITE_TITLE', '{name}'),
  row(
    'a value that PowerShell works out',
    `$env:KITE_PAT = ($line.Line -split "=", 2)[1].Trim()\nclaude mcp add --transport http pond ${address} -H "Authorization: Bearer $env:KITE_PAT"`,
    {
      servers: reaches('pond', address, {
        type: 'http',
        headers: { Authorization: 'Bearer ${secret:KITE_PAT}' },
      }),
      asks: ['KITE_PAT'],
    },
  ),
  row(
    'a value that PowerShell reads',
    '$env:KITE_TOKEN = Read-Host "Token"\n$env:MODE = "fast"\nnpx -y kite-mcp',
    {
      servers: runs('kite-mcp', 'npx', ['-y', 'kite-mcp'], {
        env: { KITE_TOKEN: '${secret:KITE_TOKEN}', MODE: 'fast' },
      }),
      asks: ['KITE_TOKEN'],
    },
  ),

  // Other wordings.
  open('TFE_TOKEN', '<<PASTE_TFE_TOKEN_HERE>>'),
  open('A_TOKEN', 'INSERISCI_QUI_IL_TOKEN'),
  open('B_TOKEN', 'il_tuo_token'),
  open('C_TOKEN', 'TU_TOKEN_AQUI'),
  open('D_TOKEN', '(your token)'),
  open('E_TOKEN', 'fill-me-in'),
  variable('a key that begins as a word', 'A_TOKEN', 'il9f8a7b6c5d', '${secret:A_TOKEN}'),
  kept('FILL_MODE', 'fill-parent'),

  // References that other programs resolve.
  ...[
    '{env.SET}',
    '@env:SET',
    'os.getenv("SET")',
    "os.environ.get('SET', '')",
    'System.getenv("SET")',
    'Deno.env.get("SET")',
    'Bun.env.SET',
    'ENV["SET"]',
    'ENV[SET]',
  ].map((written) => variable(`${written} in a variable`, 'A_TOKEN', written, '${SET}')),
  ...['Bearer env:SET', 'Bearer {env.SET}', 'Bearer os.getenv("SET")'].map((written) =>
    row(`${written} in a header`, config({ url: address, headers: { Authorization: written } }), {
      servers: { kite: { url: address, headers: { Authorization: 'Bearer ${SET}' } } },
    }),
  ),
  ...[
    'vault:secret/data/k#v',
    'aws-sm://kite/token',
    'bws://1234-5678',
    'ref+vault://kite/token',
    'pass:mcp/kite',
    'enc:v1:9f8a7b6c5d4e',
    '{cmd:pass show kite}',
    '!security find-generic-password -w kite',
    '`cat ~/.kite`',
  ].map((written) => open('A_TOKEN', written)),
  kept('NOTE', 'wow!'),
  kept('GREETING', 'see `kite` there'),
  kept('TEMPLATE', '{plain} and {env}'),
];
