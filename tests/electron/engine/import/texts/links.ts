// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import { base64, escaped, reaches, row, runs, type TextRow } from './row.ts';

const kite = { command: 'npx', args: ['-y', 'kite-mcp'] };
const kiteRuns = runs('kite', 'npx', ['-y', 'kite-mcp']);
const keyed = { ...kite, env: { KITE_TOKEN: '<your token>' } };
const keyedRuns = runs('kite', 'npx', ['-y', 'kite-mcp'], { env: { KITE_TOKEN: '${secret:KITE_TOKEN}' } });
const pond = { type: 'http', url: 'https://pond.example.com/mcp' };
const b64 = base64(kite);
/** Bytes whose Base64 contains both characters in which the alphabets differ. */
const odd = { command: 'npx', args: ['-y', 'kite-mcp', '--mark', '>>>???~~'] };
const url64 = Buffer.from(JSON.stringify(odd)).toString('base64url');
const oddRuns = runs('kite', 'npx', ['-y', 'kite-mcp', '--mark', '>>>???~~']);

const away = 'https%3A%2F%2Fpond.example.com%2Fmcp';
const pondReached = { servers: reaches('example', pond.url) };
const unsure = 'may be a web page';

/** Addresses with which other programs wrap a server's. */
const wrapped: readonly TextRow[] = [
  row(
    'Safe Links of Outlook',
    `https://nam02.safelinks.protection.outlook.com/?url=${away}&data=05%7C01%7C&sdata=ab&reserved=0`,
    pondReached,
  ),
  row(
    'Safe Links in a config',
    `{"mcpServers": {"pond": {"url": "https://eur01.safelinks.protection.outlook.com/?url=${away}&amp;data=05"}}}`,
    { servers: reaches('pond', pond.url) },
  ),
  row(
    'Safe Links in a command',
    `claude mcp add --transport http pond https://nam02.safelinks.protection.outlook.com/?url=${away}&data=05`,
    { servers: { pond } },
  ),
  row(
    'version 3 of Proofpoint',
    'https://urldefense.com/v3/__https://pond.example.com/mcp__;!!AbC!dEf$',
    pondReached,
  ),
  row(
    'version 3 of Proofpoint with signs of its own',
    'https://urldefense.com/v3/__https:/pond.example.com/mcp?a=1*b**Ac__;Kz09!!AbC!dEf$',
    { servers: reaches('example', 'https://pond.example.com/mcp?a=1+b==c') },
  ),
  row(
    'version 2 of Proofpoint',
    'https://urldefense.proofpoint.com/v2/url?u=https-3A__pond.example.com_mcp&d=DwMFaQ&c=ab',
    pondReached,
  ),
  row(
    'Google',
    'Add https://www.google.com/url?q=https://pond.example.com/mcp&sa=D, then restart.',
    pondReached,
  ),
  row('Facebook', `https://l.facebook.com/l.php?u=${away}&h=AT0`, pondReached),
  row('Barracuda', `https://linkprotect.cudasvc.com/url?a=${away}&c=E,1,x`, pondReached),
  row('Slack', `https://slack-redir.net/link?url=${away}`, pondReached),
  row(
    'one around another',
    `https://www.google.com/url?q=${encodeURIComponent(`https://slack-redir.net/link?url=${away}`)}`,
    pondReached,
  ),
  row(
    'Google around an install link',
    `https://www.google.com/url?q=${encodeURIComponent(`https://cursor.com/install-mcp?name=kite&config=${b64}`)}&sa=D`,
    { servers: kiteRuns },
  ),
  row('Google around a page', 'https://www.google.com/url?q=https://github.com/acme/wind&sa=D', {
    none: 'a GitHub page',
  }),
  row('a search for an address', `https://www.google.com/search?q=${away}`, { none: 'a web page' }),
  row('a server that is told an address', `https://pond.example.com/mcp?url=https://lake.example.com`, {
    servers: reaches('example', 'https://pond.example.com/mcp?url=https://lake.example.com'),
  }),
];

/** Addresses of pages that look like those of servers, and the other way round. */
const pages: readonly TextRow[] = [
  row('settings of Hugging Face', 'https://huggingface.co/settings/mcp', { none: 'a web page' }),
  row('Hugging Face', 'https://huggingface.co/mcp', {
    servers: reaches('huggingface', 'https://huggingface.co/mcp'),
  }),
  row('a list of servers', 'https://glama.ai/mcp', { none: 'a web page' }),
  row('the page of a product', 'https://acme.example/product/mcp/', {
    servers: reaches('acme', 'https://acme.example/product/mcp/'),
    says: unsure,
  }),
  row('a company whose server is elsewhere', 'https://zapier.com/mcp', {
    servers: reaches('zapier', 'https://zapier.com/mcp'),
    says: unsure,
  }),
  row('an article', 'https://wind.example/2025/Apr/9/mcp-explained-to-kites/', {
    servers: reaches('wind', 'https://wind.example/2025/Apr/9/mcp-explained-to-kites/'),
    says: unsure,
  }),
  row('a repository of another host', 'https://acme.example/someone/kite-mcp-server', {
    servers: reaches('acme', 'https://acme.example/someone/kite-mcp-server'),
    says: unsure,
  }),
  row('a document that is a server', 'https://docs.acme.example/mcp', {
    servers: reaches('acme', 'https://docs.acme.example/mcp'),
  }),
  row('a server under its own name', 'https://acme.example/mcp-server', {
    servers: reaches('acme', 'https://acme.example/mcp-server'),
  }),
];

export const linkRows: readonly TextRow[] = [
  ...wrapped,
  ...pages,
  row('Cursor on the web', `https://cursor.com/install-mcp?name=kite&config=${encodeURIComponent(b64)}`, {
    servers: kiteRuns,
  }),
  row('Cursor on the web, padding as it is', `https://cursor.com/install-mcp?name=kite&config=${b64}`, {
    servers: kiteRuns,
  }),
  row(
    'Cursor on the web, no padding',
    `https://cursor.com/install-mcp?name=kite&config=${b64.replace(/=+$/, '')}`,
    { servers: kiteRuns },
  ),
  row('Cursor in English', `https://cursor.com/en/install-mcp?name=kite&config=${b64}`, {
    servers: kiteRuns,
  }),
  row('Cursor in Brazil', `https://cursor.com/pt-BR/install-mcp?name=kite&config=${b64}`, {
    servers: kiteRuns,
  }),
  row('Cursor with www', `https://www.cursor.com/install-mcp?name=kite&config=${b64}`, { servers: kiteRuns }),
  row('Cursor, config before name', `https://cursor.com/install-mcp?config=${b64}&name=kite`, {
    servers: kiteRuns,
  }),
  row("Cursor's own scheme", `cursor://anysphere.cursor-deeplink/mcp/install?name=kite&config=${b64}`, {
    servers: kiteRuns,
  }),
  row('Base64 for addresses', `cursor://anysphere.cursor-deeplink/mcp/install?name=kite&config=${url64}`, {
    servers: oddRuns,
  }),
  row(
    'Base64 with plus signs left',
    `cursor://anysphere.cursor-deeplink/mcp/install?name=kite&config=${Buffer.from(JSON.stringify(odd)).toString('base64')}`,
    { servers: oddRuns },
  ),
  row(
    'escaped JSON in place of Base64',
    `cursor://anysphere.cursor-deeplink/mcp/install?name=kite&config=${escaped(kite)}`,
    { servers: kiteRuns },
  ),
  row(
    'Base64 of escaped JSON',
    `https://cursor.com/install-mcp?name=kite&config=${Buffer.from(escaped(kite)).toString('base64')}`,
    { servers: kiteRuns },
  ),
  row(
    'a config that is a map of one',
    `https://cursor.com/install-mcp?name=kite&config=${base64({ kite })}`,
    { servers: kiteRuns },
  ),
  row(
    'a config of a whole file',
    `https://cursor.com/install-mcp?name=x&config=${base64({ mcpServers: { kite } })}`,
    { servers: kiteRuns },
  ),
  row(
    'a command line as command',
    `https://cursor.com/install-mcp?name=kite&config=${base64({ command: 'npx -y kite-mcp' })}`,
    { servers: kiteRuns },
  ),
  row('a remote server', `https://cursor.com/en/install-mcp?name=pond&config=${base64(pond)}`, {
    servers: { pond },
  }),
  row('a placeholder', `https://cursor.com/install-mcp?name=kite&config=${base64(keyed)}`, {
    servers: keyedRuns,
    asks: ['KITE_TOKEN'],
  }),
  row('a name with blanks', `https://cursor.com/install-mcp?name=Kite%20Tools&config=${b64}`, {
    servers: runs('Kite-Tools', 'npx', ['-y', 'kite-mcp'], { patchbay: { title: 'Kite Tools' } }),
  }),
  row('LM Studio', `lmstudio://add_mcp?name=kite&config=${encodeURIComponent(b64)}`, { servers: kiteRuns }),
  row('LM Studio on the web', `https://lmstudio.ai/install-mcp?name=kite&config=${b64}`, {
    servers: kiteRuns,
  }),
  row('VS Code', `vscode:mcp/install?${escaped({ name: 'kite', ...kite })}`, { servers: kiteRuns }),
  row('VS Code, JSON as it is', `vscode:mcp/install?${JSON.stringify({ name: 'kite', ...kite })}`, {
    servers: kiteRuns,
  }),
  row('VS Code Insiders', `vscode-insiders:mcp/install?${escaped({ name: 'kite', ...kite })}`, {
    servers: kiteRuns,
  }),
  row(
    'VS Code with inputs',
    `vscode:mcp/install?${escaped({ name: 'kite', inputs: [{ type: 'promptString', id: 'token', description: 'Kite token', password: true }], ...kite, env: { KITE_TOKEN: '${input:token}' } })}`,
    {
      servers: runs('kite', 'npx', ['-y', 'kite-mcp'], { env: { KITE_TOKEN: '${secret:TOKEN}' } }),
      asks: ['token'],
    },
  ),
  row("VS Code's redirect", `https://vscode.dev/redirect/mcp/install?name=kite&config=${escaped(kite)}`, {
    servers: kiteRuns,
  }),
  row(
    "Insiders' redirect",
    `https://insiders.vscode.dev/redirect/mcp/install?name=kite&config=${escaped(kite)}&quality=insiders`,
    { servers: kiteRuns },
  ),
  row(
    'a redirect with inputs',
    `https://insiders.vscode.dev/redirect/mcp/install?name=kite&inputs=${escaped([{ type: 'promptString', id: 'kite_key', password: true }])}&config=${escaped({ ...kite, env: { KEY: '${input:kite_key}' } })}`,
    {
      servers: runs('kite', 'npx', ['-y', 'kite-mcp'], { env: { KEY: '${secret:KITE_KEY}' } }),
      asks: ['kite_key'],
    },
  ),
  row(
    'a redirect to a link',
    `https://vscode.dev/redirect?url=${encodeURIComponent(`vscode:mcp/install?${escaped({ name: 'kite', ...kite })}`)}`,
    { servers: kiteRuns },
  ),
  row(
    'a redirect to a link that was not escaped',
    `https://insiders.vscode.dev/redirect?url=vscode:mcp/install?${escaped({ name: 'kite', ...kite })}`,
    { servers: kiteRuns },
  ),
  row('Visual Studio', `https://vs-open.link/mcp-install?${escaped({ name: 'kite', ...kite })}`, {
    servers: kiteRuns,
  }),
  row('goose', 'goose://extension?cmd=npx&arg=-y&arg=kite-mcp&id=kite&name=Kite&description=Wind', {
    servers: kiteRuns,
  }),
  row(
    'goose with a variable',
    'goose://extension?cmd=npx&arg=-y&arg=kite-mcp&id=kite&env=KITE_TOKEN%3DYour%20Kite%20token',
    { servers: keyedRuns, asks: ['KITE_TOKEN'] },
  ),
  row(
    'goose, remote',
    'goose://extension?type=streamable_http&url=https%3A%2F%2Fpond.example.com%2Fmcp&id=pond&name=Pond&timeout=60',
    { servers: { pond: { ...pond, timeout: 60_000 } } },
  ),
  row('Kiro on the web', `https://kiro.dev/launch/mcp/add?name=kite&config=${escaped(kite)}`, {
    servers: kiteRuns,
  }),
  row("Kiro's scheme", `kiro://kiro.mcp/add?name=kite&config=${escaped(kite)}`, { servers: kiteRuns }),
  row('Cherry Studio', `cherrystudio://mcp/install?servers=${base64({ mcpServers: { kite } })}`, {
    servers: kiteRuns,
  }),
  row('Trae', `trae://trae.ai-ide/mcp-import?type=stdio&name=kite&config=${base64(kite)}`, {
    servers: kiteRuns,
  }),
  row(
    'LobeHub',
    `lobehub://plugin/install?type=mcp&id=kite&schema=${escaped({ identifier: 'kite', name: 'kite', author: 'Acme', config: { type: 'stdio', ...kite } })}`,
    { servers: runs('kite', 'npx', ['-y', 'kite-mcp'], { type: 'stdio' }) },
  ),
  row('DeepChat', `deepchat://mcp/install?code=${base64({ mcpServers: { kite } })}`, { servers: kiteRuns }),
  row('Qoder', `qoder://aicoding.aicoding-deeplink/mcp/add?name=kite&config=${base64(kite)}`, {
    servers: kiteRuns,
  }),
  row('Raycast', `raycast://mcp/install?${escaped({ name: 'kite', ...kite })}`, { servers: kiteRuns }),
  row('a program that nobody knows yet', `kestrel://mcp/install?name=kite&config=${base64(kite)}`, {
    servers: kiteRuns,
  }),
  row('Patchbay', `patchbay://add?name=kite&config=${escaped(kite)}`, { servers: kiteRuns }),
  row('Patchbay, an address', 'patchbay://add?name=pond&url=https%3A%2F%2Fpond.example.com%2Fmcp', {
    servers: reaches('pond', 'https://pond.example.com/mcp'),
  }),
  row(
    'a badge in Markdown',
    `[![Install](https://cursor.com/deeplink/mcp-install-dark.svg)](https://cursor.com/install-mcp?name=kite&config=${b64})`,
    { servers: kiteRuns },
  ),
  row(
    'a badge in HTML',
    `<a href="https://cursor.com/install-mcp?name=kite&amp;config=${b64}"><img src="https://img.shields.io/badge/x-y.svg" alt="Add"></a>`,
    { servers: kiteRuns },
  ),
  row(
    'a link in prose',
    `Click <${`https://cursor.com/install-mcp?name=kite&config=${b64}`}>, then restart.`,
    { servers: kiteRuns },
  ),
  row(
    'three badges of one server, two of another',
    `# Kite\n[![Cursor](https://x.example/c.svg)](https://cursor.com/install-mcp?name=kite&config=${b64}) [![VS Code](https://x.example/v.svg)](https://insiders.vscode.dev/redirect/mcp/install?name=kite&config=${escaped(kite)})\n[![LM](https://x.example/l.svg)](https://lmstudio.ai/install-mcp?name=kite&config=${b64})\n[Pond](https://cursor.com/install-mcp?name=pond&config=${base64(pond)}) [again](vscode:mcp/install?${escaped({ name: 'pond', ...pond })})`,
    { servers: { ...kiteRuns, pond } },
  ),
  row(
    'Base64 with line breaks',
    `https://cursor.com/install-mcp?name=kite&config=${encodeURIComponent(b64.replace(/.{20}/g, '$&\r\n'))}`,
    { servers: kiteRuns },
  ),
  row(
    'Base64 of UTF-16',
    `cursor://anysphere.cursor-deeplink/mcp/install?name=kite&config=${Buffer.from(JSON.stringify(kite), 'utf16le').toString('base64')}`,
    { servers: kiteRuns },
  ),
  row('parameters in capitals', `https://cursor.com/install-mcp?Name=kite&Config=${b64}`, {
    servers: kiteRuns,
  }),
  row("Visual Studio's scheme", `vsweb+mcp:/install?${escaped({ name: 'kite', ...kite })}`, {
    servers: kiteRuns,
  }),
  row(
    'AsciiDoc',
    `See link:https://cursor.com/install-mcp?name=kite&config=${b64}[Add to Cursor] or link:https://lmstudio.ai/install-mcp?name=kite&config=${b64}[Add].`,
    { servers: kiteRuns },
  ),
  row(
    'a link of Claude to a bundle',
    'claude://install-extension?url=https%3A%2F%2Fpond.example.com%2Fpond.mcpb',
    { none: 'https://pond.example.com/pond.mcpb is an MCP bundle' },
  ),
  row('a bundle of a release', 'https://github.com/acme/pond/releases/download/v1/pond.dxt?raw=1', {
    none: 'is an MCP bundle, not a server. Download it, and import the file.',
  }),
  row('a link that carries nothing', 'https://cursor.com/install-mcp?name=kite', { none: 'readable server' }),
  row(
    'a link that is cut off',
    `cursor://anysphere.cursor-deeplink/mcp/install?name=kite&config=${b64.slice(0, 20)}`,
    { none: 'readable server' },
  ),
  row(
    'a page of goose',
    'https://block.github.io/goose/extension?cmd=npx&arg=-y&arg=kite-mcp&id=kite&name=Kite',
    {
      servers: kiteRuns,
    },
  ),
  row(
    'Claude on the web',
    `https://claude.ai/customize/connectors?modal=add-custom-connector&connectorName=pond&connectorUrl=${encodeURIComponent(pond.url)}`,
    { servers: reaches('pond', pond.url) },
  ),
  row('Replit', `https://replit.com/integrations?mcp=${base64({ displayName: 'pond', baseUrl: pond.url })}`, {
    servers: reaches('pond', pond.url),
  }),
  row('a place on a page', 'Follow https://pond.example.com/manual#mcp first.', { none: 'a web page' }),
  row('documentation on this machine', 'http://localhost:8000/docs', { none: 'a web page' }),
  row('an address of Markdown', '[Pond](https://pond.example.com/mcp)', {
    servers: reaches('example', pond.url),
  }),
];
