/**
 * Reads the tool lists of real servers from a folder where their packages are installed, each in a folder of its own, by
 * starting each of them: `node tests/eval/real-servers.mjs FOLDER > tests/eval/data/real/tools.txt`. The lists are the authors’
 * own texts, so git ignores that file.
 *
 * Nothing is called but `initialize` and `tools/list`. Keys that servers ask for before they tell are made up.
 */

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const [folder = '.'] = process.argv.slice(2);
/** Licences that let texts be passed on. */
const free = /^(MIT|ISC|Apache-2\.0|BSD-\d-Clause)$/;
/** Tools of a server: some have hundreds, which would be most of the set. */
const most = 100;
/** Arguments of those that need some. */
const argumentsOf = {
  '@modelcontextprotocol/server-filesystem': ['.'],
  '@modelcontextprotocol/server-postgres': ['postgresql://localhost/none'],
  '@modelcontextprotocol/server-redis': ['redis://localhost:6379'],
  '@stripe/mcp': ['--tools=all', '--api-key=sk_test_none'],
  '@supabase/mcp-server-supabase': ['--access-token=sbp_none'],
  'figma-developer-mcp': ['--stdio', '--figma-api-key=none'],
  '@azure-devops/mcp': ['none'],
  '@larksuiteoapi/lark-mcp': ['mcp', '-a', 'none', '-s', 'none'],
  '@sentry/mcp-server': ['--access-token=none'],
  'mongodb-mcp-server': ['--connectionString', 'mongodb://localhost:27017/none'],
  'mcp-server-sqlite-npx': ['./none.db'],
  '@dynatrace-oss/dynatrace-mcp-server': [],
  '@auth0/auth0-mcp-server': ['run'],
  '@upstash/mcp-server': ['--email', 'none@example.com', '--api-key', 'none'],
};
const keys =
  `GITHUB_PERSONAL_ACCESS_TOKEN GITLAB_PERSONAL_ACCESS_TOKEN GOOGLE_MAPS_API_KEY SLACK_BOT_TOKEN SLACK_TEAM_ID
  BRAVE_API_KEY NOTION_TOKEN STRIPE_SECRET_KEY SENTRY_ACCESS_TOKEN SUPABASE_ACCESS_TOKEN HEROKU_API_KEY CIRCLECI_TOKEN
  PRIVATE_APP_ACCESS_TOKEN APIFY_TOKEN EXA_API_KEY TAVILY_API_KEY FIRECRAWL_API_KEY DATADOG_API_KEY DATADOG_APP_KEY
  AIRTABLE_API_KEY LINEAR_API_KEY BW_SESSION ES_API_KEY FIGMA_API_KEY CHANNEL_ACCESS_TOKEN DESTINATION_USER_ID
  DIGITALOCEAN_API_TOKEN LARA_ACCESS_KEY_ID LARA_ACCESS_KEY_SECRET OBSIDIAN_API_KEY CURRENTS_API_KEY MYSQL_USER MYSQL_PASS
  SLACK_MCP_XOXB_TOKEN COINGECKO_DEMO_API_KEY AMAP_MAPS_API_KEY POSTMAN_API_KEY DT_PLATFORM_TOKEN`.split(
    /\s+/,
  );
const made = {
  ...Object.fromEntries(keys.map((key) => [key, 'none'])),
  MAPBOX_ACCESS_TOKEN: `pk.${Buffer.from('{"u":"none","a":"none"}').toString('base64url')}.none`,
  ES_URL: 'http://localhost:9200',
  DT_ENVIRONMENT: 'https://abc12345.apps.dynatrace.com',
  OBSIDIAN_BASE_URL: 'http://localhost:27123',
  SLACK_MCP_XOXP_TOKEN: 'xoxp-none',
};

console.log(
  '# Tool lists of real servers, as they told them when they were started by tests/eval/real-servers.mjs. Each',
);
console.log(
  '# server is named with its package, version and licence; the texts are their authors’, shortened to 400',
);
console.log('# characters, of the first hundred tools of each. name | parameters | description');
for (const name of readdirSync(folder).sort()) {
  const server = packageIn(join(folder, name));
  if (server === undefined) continue;
  try {
    const tools = await listOf(server);
    console.error(`${server.name}: ${tools.length}`);
    if (tools.length > 0) print(server, tools);
  } catch (error) {
    console.error(`${server.name}: ${error.message}`);
  }
}

/** The one package that was asked for in a folder, and its program. */
function packageIn(home) {
  if (!existsSync(join(home, 'ok'))) return undefined;
  const { dependencies = {} } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  const [name] = Object.keys(dependencies);
  const inside = join(home, 'node_modules', name);
  const { bin, version, license } = JSON.parse(readFileSync(join(inside, 'package.json'), 'utf8'));
  const program = typeof bin === 'string' ? bin : Object.values(bin ?? {})[0];
  if (program === undefined || !(free.test(license ?? '') || name.startsWith('@modelcontextprotocol/')))
    return undefined;
  return { home, name, version, license, program: join(inside, program) };
}

async function listOf({ home, name, program }) {
  const child = spawn(process.execPath, [program, ...(argumentsOf[name] ?? [])], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, ...made },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.on('error', () => {});
  const timer = setTimeout(() => child.kill('SIGKILL'), 25_000);
  try {
    const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const clientInfo = { name: 'evaluation', version: '1' };
    send({
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
    });
    const tools = [];
    for await (const line of createInterface({ input: child.stdout })) {
      const message = parsed(line);
      if (message?.id === 0) {
        if (message.result === undefined) return [];
        send({ method: 'notifications/initialized' });
        send({ id: 1, method: 'tools/list', params: {} });
      } else if (message?.id >= 1 && message.method === undefined) {
        tools.push(...(message.result?.tools ?? []));
        const cursor = message.result?.nextCursor;
        if (cursor === undefined || cursor === null) return tools;
        send({ id: message.id + 1, method: 'tools/list', params: { cursor } });
      }
    }
    return tools;
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
  }
}

function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function print({ name, version, license }, tools) {
  console.log(
    `\n# ${name} ${version}, ${license ?? 'no licence told'}\n[${keyOf(name)}] ${halfOf(keyOf(name))}`,
  );
  for (const { name: tool, description = '', inputSchema } of tools.slice(0, most)) {
    const parameters = Object.keys(inputSchema?.properties ?? {}).join(' ');
    const told = description
      .replace(/[\s|]+/g, ' ')
      .trim()
      .slice(0, 400);
    console.log(`${tool} | ${parameters} | ${told} |`);
  }
}

function halfOf(key) {
  const digest = createHash('sha256').update(key).digest('hex');
  return Number.parseInt(digest.slice(0, 8), 16) % 2 === 0 ? 'dev' : 'held';
}

/** Returns the name that a person might use, without words that only say that it is a server. */
function keyOf(name) {
  const [scope, short] = name.startsWith('@') ? name.slice(1).split('/') : ['', name];
  const words = short
    .split('-')
    .filter((word) => !['mcp', 'server', 'autoauth', 'npx', 'developer'].includes(word));
  return words.length > 0 ? words.join('-') : scope.replace(/-oss$|ai$/, '');
}
