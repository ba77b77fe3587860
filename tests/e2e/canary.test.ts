// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type AuthServer, authServer } from '../helper/auth-server.ts';
import { freePort } from '../helper/free-port.ts';
import { httpServer, readJson, sendJson, type TestHttpServer } from '../helper/http-server.ts';
import { type IpcTap, tapIpc } from '../helper/ipc-tap.ts';
import { packagedApp } from '../helper/packaged-app.ts';
import { fixture, nodeEntry } from '../helper/programs.ts';
import { connectBridge, hubGone, type RunningApp, startApp } from '../helper/running-app.ts';
import { visit } from '../helper/scripted-browser.ts';
import { callFromWindow } from '../helper/shell-app.ts';
import { tempDir } from '../helper/temp-dir.ts';
import { memoryOf, wholeStrings } from '../helper/window-memory.ts';

/** Plain words, so that they are masked for what is known of them and not for how they look. */
const canaries = {
  vault: 'plumtree-of-the-vault',
  env: 'plumtree-of-the-environment',
  option: 'plumtree-of-the-command-line',
  header: 'plumtree-of-the-header',
  address: 'plumtree-of-the-address',
  argument: 'plumtree-of-the-argument',
  neighbour: 'plumtree-of-the-neighbour',
};
/** Texts that may be shown: an argument of a call on display, and the end of a long string in the window. */
const harmless = 'harmless-city-of-the-argument';
const control = 'end-of-the-control';
/** Answers that carry the person's own text to its editor, and nothing else. */
const ownText = /^\["server\.(?:entry|validate)"/;
const login = `ada:${canaries.address}`;
const clientFile = '.config/Claude/claude_desktop_config.json';

/** A home, a client with a secret of its own, and servers that were given secrets in every way there is. */
async function madeUpPerson(folder: string, web: TestHttpServer, auth: AuthServer) {
  const home = join(folder, 'home');
  const [dir, file] = [join(home, '.patchbay'), join(home, clientFile)];
  for (const path of [dir, dirname(file)]) await mkdir(path, { recursive: true });
  const env = { CANARY_API_KEY: canaries.env, CANARY_TOKEN: '${secret:FROM_VAULT}' };
  const leaky = { ...nodeEntry(fixture('leaky'), '--api-key', canaries.option), env };
  const headers = { 'X-Api-Key': canaries.header };
  const echo = { url: web.url.replace('http://', `http://${login}@`), headers };
  const mcpServers = { leaky, echo, guarded: { url: auth.url } };
  await writeFile(join(dir, 'mcp.json'), JSON.stringify({ mcpServers }));
  await writeFile(join(dir, 'settings.json'), JSON.stringify({ version: 1, port: await freePort() }));
  const neighbour = { command: 'x', env: { API_KEY: canaries.neighbour } };
  await writeFile(file, JSON.stringify({ mcpServers: { neighbour } }));
  vi.stubEnv('HOME', home);
  vi.stubEnv('XDG_CONFIG_HOME', '');
  return { home, dir, file };
}

/** A remote server whose one tool gives back the headers that it got. */
function headerEcho(): Promise<TestHttpServer> {
  return httpServer(async (request, response) => {
    if (request.method !== 'POST') return sendJson(response, 405);
    const { id, method } = (await readJson(request)) as { id?: number; method: string };
    if (id === undefined) return sendJson(response, 202);
    const { authorization, ...headers } = request.headers;
    const text = `You sent ${JSON.stringify({ authorization, key: headers['x-api-key'] })}`;
    const answers: Record<string, unknown> = {
      initialize: {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'echo', version: '1' },
      },
      'tools/list': { tools: [{ name: 'headers', inputSchema: { type: 'object' } }] },
      'tools/call': { content: [{ type: 'text', text }], structuredContent: headers },
      ping: {},
    };
    sendJson(response, 200, { jsonrpc: '2.0', id, result: answers[method] ?? {} });
  });
}

afterEach(() => vi.unstubAllEnvs());

/** Every form in which a secret may be found again. */
function formsOf(secret: string): readonly string[] {
  return [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64').replace(/=+$/, '')];
}

/** Names of what must not stand in a text and does. */
function found(secrets: Readonly<Record<string, string>>, text: string): readonly string[] {
  return Object.entries(secrets).flatMap(([name, value]) =>
    formsOf(value).some((form) => text.includes(form)) ? [name] : [],
  );
}

/** The data folder's files as they lie there; the config, its copy and the copies of others' files are the person's own texts. */
async function filesOf(dir: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const named = paths.map((path) => [relative(dir, path), path] as const);
  const theirs = new Set(['mcp.json', join('run', 'mcp.good.json')]);
  const own = named.filter(([name]) => !theirs.has(name) && !name.startsWith('backups'));
  return Object.fromEntries(
    await Promise.all(own.map(async ([name, path]) => [name, await readFile(path, 'latin1')] as const)),
  );
}

/** A dialog of the system's that says where to. */
function savesTo({ app }: RunningApp, file: string): Promise<void> {
  return app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath });
  }, file);
}

async function ask<T>(window: Page, name: Parameters<typeof callFromWindow>[1], input?: unknown): Promise<T> {
  const answer = await callFromWindow(window, name, input as never);
  if (!answer.ok) throw new Error(JSON.stringify(answer.problem));
  return answer.value as T;
}

async function signIn(app: RunningApp): Promise<void> {
  await app.app.evaluate(({ shell }) => {
    shell.openExternal = async (url) => void Object.assign(globalThis, { opened: url });
  });
  await ask(app.window, 'app.signIn', { key: 'guarded' });
  const url = await app.app.evaluate(() => (globalThis as unknown as { opened: string }).opened);
  expect((await visit(url)).status).toBe(200);
  await app.row('guarded').getByText('Connected').first().waitFor();
}

/** A client's calls, with every kind of answer. */
async function useAll(dir: string): Promise<void> {
  await using client = await connectBridge(dir, 'claude-ai');
  const { argument: password } = canaries;
  const told: unknown[] = [];
  for (const how of ['result', 'failure', 'error']) {
    const call = client.callTool({ name: 'leaky__tell', arguments: { how, city: harmless, password } });
    told.push(await call.catch((error: Error) => error.message));
  }
  told.push(await client.callTool({ name: 'echo__headers', arguments: {} }));
  told.push(await client.callTool({ name: 'guarded__read', arguments: {} }));
  // The client gets what the server said, to the letter: what is not leaked here proves nothing below.
  const { vault, env, option, header, argument } = canaries;
  for (const secret of [vault, env, option, header, argument]) expect(JSON.stringify(told)).toContain(secret);
  expect(JSON.stringify(told)).toContain(Buffer.from(login).toString('base64'));
}

/** The person's own text is in the window while it is edited, and no longer. */
async function editConfig({ window, row }: RunningApp): Promise<void> {
  await window.keyboard.press('Control+1');
  await row('leaky').getByRole('button', { name: 'leaky', exact: true }).click();
  await window.getByRole('tab', { name: /^Config/ }).click();
  await window.locator('.cm-content').waitFor({ state: 'attached' });
  await window.keyboard.press('Control+3');
  await window.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
}

/** Everything that shows something, one after the other. */
async function lookAtAll({ window, row }: RunningApp): Promise<void> {
  const nav = window.getByRole('navigation', { name: 'Main' });
  for (const key of ['leaky', 'echo', 'guarded']) {
    await nav.getByRole('button', { name: /^Servers/ }).click();
    await row(key).getByRole('button', { name: key, exact: true }).click();
    await window.getByRole('tab', { name: /^Log/ }).click();
    // Only what has come to the window shows that nothing secret comes there.
    const lines = window.getByRole('region', { name: 'Log lines' });
    for (const stream of key === 'leaky' ? ['hub', 'stderr', 'stdout', 'server'] : ['hub'])
      await lines.locator(`[data-stream="${stream}"]`).first().waitFor();
    await window.getByRole('tab', { name: /^Overview/ }).click();
  }
  for (const view of ['Tools', 'Clients', 'Settings', 'Activity']) {
    await nav.getByRole('button', { name: new RegExp(`^${view}`) }).click();
    await window.getByRole('heading', { level: 1, name: view }).waitFor();
  }
  for (const line of [
    /headers.*OK/,
    /tell.*Tool error/,
    /tell.*(Failed|Error)/,
    /tell.*Claude Desktop.*OK/,
  ]) {
    await window.getByRole('button', { name: line }).first().click();
    await window.getByRole('region', { name: /^Details of/ }).waitFor();
  }
}

describe.skipIf(process.platform !== 'linux')('secrets that were given', () => {
  it('[NFR-SEC1] [NFR-SEC3] [PB-SAFE-1] [PB-IPC-1] are found nowhere: no log, database, export, bundle, message or memory', async () => {
    await using folder = await tempDir();
    await using web = await headerEcho();
    await using auth = await authServer();
    const { dir, file } = await madeUpPerson(folder.path, web, auth);
    const set = promisify(execFile)(packagedApp.launcher('patchbay'), [
      ...['secret', 'set', 'FROM_VAULT', '--data-dir', dir],
    ]);
    set.child.stdin?.end(canaries.vault);
    await set;

    const texts: Record<string, string> = {};
    let tap: IpcTap | undefined;
    let tokens: readonly string[] = [];
    {
      await using app = await startApp(dir, wholeStrings);
      const { window } = app;
      for (const stream of [app.app.process().stdout, app.app.process().stderr])
        stream?.on('data', (chunk) => {
          texts.output = `${texts.output ?? ''}${chunk}`;
        });
      tap = await tapIpc(app.app);
      // Captures the requests that the window sends at its start, too.
      await window.reload();
      for (const key of ['leaky', 'echo']) await app.row(key).getByText('Connected').first().waitFor();
      await signIn(app);
      await useAll(dir);
      tokens = await auth.tokens();

      const id = 'claude-desktop';
      const { previewId } = await ask<{ previewId: string }>(window, 'connect.preview', { id });
      await ask(window, 'connect.apply', { id, previewId });
      expect(await ask(window, 'connect.prove', { id })).toMatchObject({ ok: true });
      expect(await readFile(file, 'utf8')).toContain(canaries.neighbour);

      // A run of the person's own: what the hub knows as secret is masked on its way to the window.
      const target = { serverKey: 'leaky', kind: 'tool', name: 'tell' };
      const run = await ask<{ text: string }>(window, 'tester.call', { runId: 'r', target, arguments: '{}' });
      expect(run.text).toContain('It is •••');

      await editConfig(app);
      await lookAtAll(app);
      for (const format of ['jsonl', 'csv'] as const) {
        const out = join(folder.path, `activity.${format}`);
        await savesTo(app, out);
        await ask(window, 'activity.export', { filter: {}, format });
        texts[`export of ${format}`] = await readFile(out, 'utf8');
      }
      const bundle = await ask<{ id: string; text: string }>(window, 'support.make');
      texts['support bundle'] = bundle.text;
      const heard = (await tap.heard()).split('\n');
      texts['messages to the window'] = heard.filter((line) => !ownText.test(line)).join('\n');
      await window.evaluate((end) => Object.assign(globalThis, { long: 'x'.repeat(5000) + end }), control);
      texts['memory of the window'] = await memoryOf(window);
      texts.page = await window.content();
    }
    await hubGone(dir);
    await promisify(execFile)(packagedApp.launcher('patchbay'), [
      ...['support', '--data-dir', dir, '--out', join(folder.path, 'headless.txt')],
    ]);
    texts['headless bundle'] = await readFile(join(folder.path, 'headless.txt'), 'utf8');
    Object.assign(texts, await filesOf(dir));

    // Each was looked for where something is: an empty text holds no secret either.
    const proofs = { 'export of jsonl': 'tell', 'support bundle': 'leaky', 'activity.db': 'tell' };
    for (const [name, text] of Object.entries(proofs)) expect(texts[name]).toContain(text);
    for (const part of ['activity.get', 'asked, with •••', 'called with •••'])
      expect(texts['messages to the window']).toContain(part);
    for (const part of [harmless, control]) expect(texts['memory of the window']?.includes(part)).toBe(true);
    for (const name of ['catalogue.json', 'clients.journal', 'logs/patchbay.log'])
      expect(texts).toHaveProperty([name]);

    const secrets = {
      ...canaries,
      login,
      ...Object.fromEntries(tokens.map((token, at) => [`token ${at}`, token])),
    };
    expect(tokens.length).toBeGreaterThan(1);
    const leaks = Object.entries(texts).flatMap(([name, text]) =>
      found(secrets, text).map((what) => `${name}: ${what}`),
    );
    expect(leaks).toEqual([]);
  });
});
