// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ImportBench, importBench } from '../../../helper/importer.ts';

let bench: ImportBench;
beforeAll(async () => {
  bench = await importBench({ servers: { y: { command: 'y' }, z: { command: 'z' } } });
});
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
});
/** Returns each server of a text with its entry, if it can be added. */
async function entriesOf(text: string | object) {
  const preview = await bench.importer.parse(typeof text === 'string' ? text : JSON.stringify(text));
  if (preview.entries.length === 0) throw new Error(preview.issues[0]?.message);
  const found = [];
  for (const one of preview.entries) {
    const { id, key, writtenKey, issues, duplicate } = one;
    const isBad = issues.some(({ severity }) => severity === 'error');
    const result = await bench.addSuggested(preview, {
      entries: isBad ? [] : [{ id, key, secrets: [] }],
    });
    const added = isBad ? undefined : ((await bench.entry(key)) as Readonly<Record<string, unknown>>);
    if (result.undoId !== undefined) await bench.importer.undo(result.undoId);
    found.push({ key: writtenKey, entry: added, issues, exists: duplicate?.kind === 'key' });
  }
  return found;
}

const entry = { command: 'npx', args: ['-y', 'server'] };
const inner = '"command": "npx", "args": ["-y", "server"]';
const readme = `# My server

Add this to \`claude_desktop_config.json\`:

\`\`\`json
{
  "mcpServers": {
    "x": { ${inner} }
  }
}
\`\`\`

Then run {it} and enjoy "x": {}.

\`\`\`bash
npx server
\`\`\`
`;

describe('the importer reads the ways a server is written down', () => {
  it.each<[string, string, string]>([
    ['mcpServers', `{"mcpServers": {"x": {${inner}}}}`, 'x'],
    ['VS Code servers with inputs', `{"inputs": [], "servers": {"x": {${inner}}},}`, 'x'],
    ['VS Code settings', `{"editor.fontSize": 12, "mcp": {"servers": {"x": {${inner}}}}}`, 'x'],
    ['Zed context servers', `{"context_servers": {"x": {${inner}}}}`, 'x'],
    ['a list of named servers', `{"mcpServers": [{"name": "x", ${inner}}]}`, 'x'],
    ['a bare map', `{"x": {${inner}}}`, 'x'],
    ['a single server', `{${inner}}`, ''],
    ['a single server with its name', `{"name": "x", ${inner}}`, 'x'],
    ['a fragment without braces', `"x": {${inner}}`, 'x'],
    ['a fragment with a comma', `  "x": {${inner}},\n`, 'x'],
    ['a fragment of the whole', `"mcpServers": {"x": {${inner}}}`, 'x'],
    ['the inside of a server', inner, ''],
    ['comments and trailing commas', `// mine\n{"mcpServers": {"x": {${inner},}, /* end */}}`, 'x'],
    ['a byte order mark', `\uFEFF{"mcpServers": {"x": {${inner}}}}`, 'x'],
    ['a code fence', `\`\`\`json\n{"mcpServers": {"x": {${inner}}}}\n\`\`\``, 'x'],
    ['a fenced fragment', `\`\`\`jsonc\n"x": {${inner}}\n\`\`\``, 'x'],
    ['a README', readme, 'x'],
    ['a README with Windows line ends', readme.replaceAll('\n', '\r\n'), 'x'],
    ['prose around an object', `Put {"mcpServers": {"x": {${inner}}}} into {your} file.`, 'x'],
    ['prose around a fragment', `Use this: "x": {${inner}} and restart.`, 'x'],
    ['an object followed by prose', `{"mcpServers": {"x": {${inner}}}}\n\nRestart after that.`, 'x'],
    ['typographic quotes', '{“x”: {“command”: “npx”, “args”: [“-y”, “server”]}}', 'x'],
    ['a server called "servers"', `{"servers": {${inner}}}`, 'servers'],
  ])('%s', async (_, text, key) => {
    expect(await entriesOf(text)).toEqual([{ key, entry, issues: [], exists: false }]);
  });

  it("reads Zed's command objects wherever they stand", async () => {
    const written = { source: 'custom', command: { path: 'npx', args: ['-y', 'server'] } };
    for (const text of [{ context_servers: { x: written } }, { x: written }]) {
      expect(await entriesOf(text)).toEqual([{ key: 'x', entry, issues: [], exists: false }]);
    }
    const [odd] = await entriesOf({ context_servers: { x: { command: { what: 1 } } } });
    expect(odd?.issues.map(({ path, severity }) => [path, severity])).toContainEqual(['command', 'error']);
  });

  it('shows a server once that instructions repeat', async () => {
    expect(await entriesOf(`${readme}\n${readme}`)).toHaveLength(1);
  });

  it('marks servers the config already has', async () => {
    const found = await entriesOf(`{"x": {${inner}}, "y": {${inner}}}`);
    expect(found.map(({ exists }) => exists)).toEqual([false, true]);
  });
});

describe('the importer translates what other programs write', () => {
  it.each<[string, object, object]>([
    [
      'a nested transport (obsidian)',
      { transport: { type: 'http', url: 'https://x.dev', headers: { A: 'b' } } },
      { type: 'http', url: 'https://x.dev', headers: { A: 'b' } },
    ],
    ['a named transport', { transport: 'sse', url: 'https://x.dev' }, { type: 'sse', url: 'https://x.dev' }],
    ['transportType (old Cline)', { transportType: 'stdio', ...entry }, { type: 'stdio', ...entry }],
    ['serverUrl (Windsurf)', { serverUrl: 'https://x.dev' }, { url: 'https://x.dev' }],
    ['httpUrl (Gemini)', { httpUrl: 'https://x.dev' }, { type: 'http', url: 'https://x.dev' }],
    [
      'baseUrl and isActive (Cherry Studio)',
      { type: 'streamableHttp', baseUrl: 'https://x.dev', isActive: false },
      { type: 'http', url: 'https://x.dev', disabled: true },
    ],
    ['an empty baseUrl beside a command', { baseUrl: '', isActive: true, ...entry }, entry],
    [
      'streamable-http',
      { type: 'streamable-http', url: 'https://x.dev' },
      { type: 'http', url: 'https://x.dev' },
    ],
    [
      'streamable_http',
      { type: 'streamable_http', url: 'https://x.dev' },
      { type: 'http', url: 'https://x.dev' },
    ],
    [
      "Cline's fields",
      { ...entry, disabled: false, autoApprove: [], env: {} },
      { ...entry, disabled: false, autoApprove: [], env: {} },
    ],
    [
      'a command as a list (opencode)',
      { type: 'local', command: ['npx', '-y', 'server'], environment: { A: 'b' }, enabled: false },
      { type: 'stdio', ...entry, env: { A: 'b' }, disabled: true },
    ],
    [
      'a command as an object (Zed)',
      { source: 'custom', command: { path: 'npx', args: ['-y', 'server'], env: { A: 'b' } }, settings: {} },
      { ...entry, env: { A: 'b' } },
    ],
    [
      'a Windows path',
      { command: 'C:\\Users\\Ann\\npx.cmd', cwd: 'C:\\work' },
      { command: 'C:\\Users\\Ann\\npx.cmd', cwd: 'C:\\work' },
    ],
  ])('%s', async (_, written, translated) => {
    expect(await entriesOf({ mcpServers: { x: written } })).toEqual([
      { key: 'x', entry: translated, issues: [], exists: false },
    ]);
  });

  it.each<[string, object, object, string]>([
    [
      'a number in env',
      { command: 'x', env: { PORT: 8080, ON: true } },
      { env: { PORT: '8080', ON: 'true' } },
      'env.PORT',
    ],
    ['seconds as timeout', { command: 'x', timeout: 60 }, { timeout: 60_000 }, 'timeout'],
    ['a whole line as command', { command: 'npx -y server' }, entry, 'command'],
    [
      'a variable that is not set',
      { command: 'x', env: { A: '${GONE}' } },
      { env: { A: '${GONE}' } },
      'env.A',
    ],
  ])('warns of %s', async (_, written, part, path) => {
    const [found] = await entriesOf({ mcpServers: { x: written } });
    expect(found?.entry).toMatchObject(part);
    expect(found?.issues[0]).toMatchObject({ severity: 'warning', path });
    expect(found?.issues.every(({ severity }) => severity === 'warning')).toBe(true);
  });
});

describe('the importer validates entries one by one', () => {
  it.each<[string, unknown, string]>([
    ['npx as type and no command', { type: 'npx', args: ['-y', 'x'] }, 'type'],
    ['neither command nor url', { env: {} }, 'command'],
    ['both', { command: 'x', url: 'https://x.dev' }, 'url'],
    ['a text', 'npx', ''],
    ['a list', [], ''],
    ['an address that is none', { url: 'the manual' }, 'url'],
    ['wrong types', { command: 'x', args: 7 }, 'args'],
  ])('%s is an error of its entry alone', async (_, written, path) => {
    const [bad, good] = await entriesOf({ mcpServers: { bad: written, good: entry } });
    expect(bad?.issues).toContainEqual(expect.objectContaining({ severity: 'error', path }));
    expect(good).toEqual({ key: 'good', entry, issues: [], exists: false });
  });

  it('makes plain words of odd keys', async () => {
    const text = JSON.stringify({ mcpServers: { 'a:b': entry, 'github.com/x/w': entry, ключ: entry } });
    const { entries } = await bench.importer.parse(text);
    expect(entries.map(({ key, issues }) => [key, issues.length])).toEqual([
      ['a-b', 0],
      ['w', 0],
      ['ключ', 0],
    ]);
  });
});

describe('the importer says why it found nothing', () => {
  it.each<[string, string, number | undefined, number | undefined]>([
    ['a broken document', '{\n  "mcpServers": {\n    "x": { "command": "npx" }\n', 4, 1],
    ['a broken document with a whole server in it', `{"mcpServers": {"x": {${inner}}, "y": }}`, 1, 73],
    ['a broken fragment', '"x": {"command": nope}', 1, 18],
    ['a broken fence', 'Text\n```json\n{"x": nope}\n```\n', 3, 7],
    ['prose', 'Install the server with npm.', undefined, undefined],
    ['nothing', '  ', undefined, undefined],
    ['no servers', '{"mcpServers": {}}', undefined, undefined],
    ['other JSON', '{"name": "pkg", "version": "1.0.0", "scripts": {"x": "y"}}', undefined, undefined],
  ])('%s', async (_, text, line, column) => {
    const { entries, issues } = await bench.importer.parse(text);
    expect(entries).toEqual([]);
    expect(issues).toMatchObject([{ severity: 'error', ...(line === undefined ? {} : { line, column }) }]);
  });

  it('is total, quick on hostile text, and repeats no expanded value', async () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '"',
      ':',
      '"x"',
      '[',
      ']',
      '```',
      '\n',
      '//',
      ' a ',
      '{"command":"${SET}"}',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { maxLength: 40 }), async (parts) => {
        expect(JSON.stringify(await bench.importer.parse(parts.join('')))).not.toContain('hush');
      }),
    );
    for (const text of ['{'.repeat(100_000), `text ${'{"a": '.repeat(50_000)}`]) {
      expect((await bench.importer.parse(text)).entries).toEqual([]);
    }
  });
});
