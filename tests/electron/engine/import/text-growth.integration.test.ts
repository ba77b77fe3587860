// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ImportBench, importBench } from '../../../helper/importer.ts';

let bench: ImportBench;
beforeAll(async () => {
  bench = await importBench();
});
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
});

/** Returns this process's CPU time in milliseconds, which other programs hardly affect. */
async function computed(text: string): Promise<number> {
  const { user } = process.cpuUsage();
  await bench.importer.parse(text);
  return (process.cpuUsage().user - user) / 1000;
}

/** Returns the least of three measurements. */
async function leastComputed(text: string): Promise<number> {
  return Math.min(await computed(text), await computed(text), await computed(text));
}

/** Milliseconds that even the larger text may take, however little the smaller one does. */
const negligible = 250;

/** Deeper than JSON.stringify can go. */
const deepObjects = `{"a":${'{"a":'.repeat(12_000)}1${'}'.repeat(12_001)}`;
const deepLists = '['.repeat(30_000) + ']'.repeat(30_000);
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Texts designed to be read again from each of their offsets. */
const shapes: readonly (readonly [string, (size: number) => string])[] = [
  ['fences', (n) => '```\n'.repeat(n / 4)],
  ['fences of two kinds', (n) => '```\n~~~\n'.repeat(n / 8)],
  ['backticks', (n) => '`a'.repeat(n / 2)],
  ['open braces', (n) => '{'.repeat(n)],
  ['braces with names', (n) => `x ${'{"a":'.repeat(n / 5)}`],
  ['empty objects', (n) => `x ${'{} '.repeat(n / 3)}`],
  ['quotes', (n) => `x {${'"'.repeat(n)}`],
  ['escaped quotes', (n) => `x {"${'\\"'.repeat(n / 2)}`],
  ['open comments', (n) => `x {${'/*'.repeat(n / 2)}`],
  ['names without values', (n) => `{${'a:'.repeat(n / 2)}`],
  ['brackets', (n) => '['.repeat(n)],
  ['calls', (n) => '(command="'.repeat(n / 10)],
  ['letters', (n) => 'a'.repeat(n)],
  ['letters and colons', (n) => 'a:'.repeat(n / 2)],
  ['schemes', (n) => 'ab://'.repeat(n / 5)],
  ['links', (n) => 'cursor://x/mcp/install?config={'.repeat(n / 31)],
  ['angles', (n) => '<a '.repeat(n / 3)],
  ['percent signs', (n) => `npx -y kite-mcp ${'%A'.repeat(n / 2)}`],
  ['dollars', (n) => `npx -y kite-mcp ${'${'.repeat(n / 2)}`],
  ['words that are to be filled in', (n) => `npx -y kite-mcp ${'your_'.repeat(n / 5)}`],
  ['x', (n) => `npx -y kite-mcp ${'x-'.repeat(n / 2)}`],
  ['lines that go on', (n) => 'npx \\\n'.repeat(n / 6)],
  ['places of commands', (n) => `claude mcp add x -e A=${'$('.repeat(n / 2)}`],
  ['variables that are set', (n) => `A=b\nclaude mcp add x ${'$A '.repeat(n / 3)}`],
  ['lines that were added', (n) => '+ a: 1\n'.repeat(n / 7)],
  ['cells', (n) => `${'<td>'.repeat(n / 4)}</td>`],
  ['states', (n) => 'a: b - \u2713 c\n'.repeat(n / 11)],
  ['paths of names', (n) => `mcp = {${'a.'.repeat(n / 2)}`],
  ['values before a command', (n) => `run ${'A=b '.repeat(n / 4)}npx -y kite-mcp`],
  ['sentences with commands', (n) => 'Run claude mcp add x -- npx y. '.repeat(n / 31)],
  ['commands in backticks', (n) => '`claude mcp add x -- npx y` '.repeat(n / 28)],
  ['lines that go on in nothing', (n) => 'npx \\\n\n#\n'.repeat(n / 9)],
  ['gateways', (n) => 'mcp-proxy --port 1 npx '.repeat(n / 23)],
  ['launchers behind a gateway', (n) => `mcp-proxy --port 1 ${'npx '.repeat(n / 4)}`],
  ['slashes', (n) => `${'/'.repeat(n)}a`],
  ['quotes in a sentence', (n) => `run npx -y ${'"\''.repeat(n / 2)}`],
  ['lines of commands', (n) => 'npx -y kite-mcp\n'.repeat(n / 16)],
  ['words', (n) => `npx ${'a '.repeat(n / 2)}`],
  ['quoted JSON that never ends', (n) => "claude mcp add-json x '{\n".repeat(n / 25)],
  ['names of TOML', (n) => `[mcp_servers.x]\n${'a = 1\n'.repeat(1)}b = "${'a.'.repeat(n / 2)}`],
  ['lines with a colon', (n) => 'mcp: \n'.repeat(n / 6)],
  ['quotations', (n) => '> > a\n'.repeat(n / 6)],
  ['numbered lines', (n) => Array.from({ length: n / 8 }, (_, at) => `${at}: mcp`).join('\n')],
  ['parts of a comparison', (n) => '@@ -1 +1 @@\n+a\n'.repeat(n / 15)],
  ['filters', (n) => `jq '${'.a = {'.repeat(n / 6)}'`],
  ['filters without an end', (n) => "jq 'a".repeat(n / 5)],
  [
    'addresses in addresses',
    (n) => `https://www.google.com/url?q=${'https://www.google.com/url?q='.repeat(n / 29)}`,
  ],
  ['shown tags', (n) => '&amp;lt;p&amp;gt;'.repeat(n / 17)],
  ['variables', (n) => 'A=b\n'.repeat(n / 4)],
  ['properties', (n) => 'spring.ai.mcp.client.a=b   \n'.repeat(n / 28)],
  ['options of C#', (n) => `ClientTransport Command = ${'new() {'.repeat(n / 7)}`],
  ['blanks', (n) => `mcp ${' '.repeat(n)}x`],
  ['Lisp', (n) => `(:command "a") ${'(("a" :url '.repeat(n / 11)}`],
  ['calls of code', (n) => `{url: {${'a: f(g(h, '.repeat(n / 10)}`],
  ['functions', (n) => `{a: {${'b: (c) => d, '.repeat(n / 13)}`],
  ['calls with names', (n) => `{a: {b: ${'f(g='.repeat(n / 4)}`],
  ['tables', (n) => `x = {${'{"a", '.repeat(n / 6)}`],
  ['nested lists', (n) => `{"mcp": ${'[{"mcp": '.repeat(n / 9)}`],
  ['servers in servers', (n) => `{${'"transport": {"url": "a"}, "params": {'.repeat(n / 38)}`],
  ['templates', (n) => `npx -y kite-mcp ${'{{ a'.repeat(n / 4)}`],
  ['documents', (n) => `mcp:\n${'---\nmcp:\n'.repeat(n / 9)}`],
  ['a unit', (n) => `[Service]\nExecStart=kite\n${'Environment=A=b\n'.repeat(n / 16)}`],
  ['sums', (n) => `{a: {b: "c"${' + d'.repeat(n / 4)}}}`],
  ['line ends', (n) => `mcp ${'\n'.repeat(n)}x`],
];

describe('whatever is pasted', () => {
  it.each(shapes)('[PB-CLIENT-2] is read in a time that grows with it: %s', async (_, make) => {
    const first = await computed(make(80_000));
    if (first < negligible) return;
    // Linear time is four times as long; quadratic time is sixteen times as long.
    const limit = Math.max(9 * (await leastComputed(make(20_000))), negligible);
    // Most larger texts take seconds, so they are read again only if the first time was too long.
    expect(first < limit ? first : await leastComputed(make(80_000))).toBeLessThan(limit);
  });

  it('[PB-CLIENT-2] is read or rejected, and never crashes', async () => {
    const piece = fc.constantFrom(
      ...[
        '{',
        '}',
        '[',
        ']',
        '(',
        ')',
        '"',
        "'",
        '`',
        '```\n',
        '~~~',
        '\n',
        ' ',
        ':',
        '=',
        ',',
        '\\',
        '/',
        '#',
      ],
      ...[
        '$',
        '${',
        '${input:a}',
        '{env:A}',
        '%A%',
        '<a>',
        '{{a}}',
        'op://a/b',
        '$(a)',
        '\u0000',
        '\uFEFF',
        '\uD800',
      ],
      ...[
        'mcpServers',
        '"command"',
        'npx -y kite-mcp',
        'claude mcp add x',
        '--',
        "add-json x '{",
        '-e A=b',
        'https://',
      ],
      ...[
        'cursor://a/mcp/install?config=',
        'vscode:mcp/install?',
        'eyJjb21tYW5kIjoieCJ9',
        '%7B',
        '%ZZ',
        '&quot;',
        'goose://extension?cmd=',
      ],
      ...[
        '[mcp_servers.x]\n',
        'x: &x\n',
        '<<: *x\n',
        '- ',
        'extensions:\n',
        'command: x\n',
        'url: ',
        'null',
        'True',
        '...',
        '__proto__',
      ],
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(piece, fc.string({ maxLength: 4 })), { maxLength: 40 }),
        async (parts) => {
          const text = parts.join('');
          const preview = await bench.importer.parse(text);
          expect(preview.entries.length + preview.issues.length).toBeGreaterThan(0);
          const inputs = preview.inputs.map(({ id, secretName }) => ({ id, value: 'v', secretName }));
          const result = await bench.addSuggested(preview, { inputs });
          expect(result.failed).toEqual([]);
          if (result.undoId !== undefined) await bench.importer.undo(result.undoId);
          bench.importer.close(preview.session);
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each([
    [
      'a bomb of aliases',
      `a: &a [x]\n${[...'bcdefghijk'].map((key, at) => `${key}: &${key} [${Array(9).fill(`*${'abcdefghijk'[at]}`).join(', ')}]`).join('\n')}\nmcpServers: *k\n`,
    ],
    ['an alias inside of itself', 'mcpServers:\n  x: &x\n    command: a\n    env: {<<: *x}\n'],
    ['a map inside of itself', 'mcpServers: &x\n  x: *x\n'],
    ['a deep name', `[mcp_servers.${'a.'.repeat(5000)}b]\ncommand = "x"`],
    ['deep lists', `mcpServers: ${'['.repeat(5000)}`],
    ['deep objects', `{"mcpServers": ${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}}`],
    ['deeper objects', deepObjects],
    ['deeper lists', deepLists],
    ['deep objects in Base64', base64(deepObjects)],
    [
      'a link to deep objects',
      `cursor://anysphere.cursor-deeplink/mcp/install?name=x&config=${base64(deepObjects)}`,
    ],
    ['a link to deep lists', `vscode:mcp/install?${encodeURIComponent(deepLists)}`],
    ['deep objects as a value', `claude mcp add-json x '${deepObjects}'`],
    ['deep objects for a server', `{"mcpServers": {"x": {"command": "a", "env": ${deepObjects}}}}`],
  ])('[PB-CLIENT-2] is refused for a reason that a person can read: %s', async (_, text) => {
    const preview = await bench.importer.parse(text);
    expect(preview.entries.filter(({ suggested }) => suggested)).toEqual([]);
    expect([...preview.issues, ...preview.entries.flatMap(({ issues }) => issues)].length).toBeGreaterThan(0);
  });

  it('[PB-CLIENT-2] is limited to what a person can review', async () => {
    const text = `mcpServers:\n${Array.from({ length: 2500 }, (_, at) => `  s${at}:\n    command: c${at}\n`).join('')}`;
    const preview = await bench.importer.parse(text);
    expect(preview.entries).toHaveLength(2000);
    expect(preview.issues[0]?.message).toContain('the first 2000');
  });

  it.each([
    ['with the low byte first', Buffer.from(`\uFEFF{"mcpServers": {"x": {"command": "é"}}}`, 'utf16le')],
    [
      'with the high byte first',
      Buffer.from(`\uFEFF{"mcpServers": {"x": {"command": "é"}}}`, 'utf16le').swap16(),
    ],
    ['without a mark', Buffer.from('{"mcpServers": {"x": {"command": "é"}}}', 'utf16le')],
    ['in UTF-8 with a mark', Buffer.from(`\uFEFF{"mcpServers": {"x": {"command": "é"}}}`, 'utf8')],
  ])('[PB-CLIENT-2] a file is read in UTF-16 too, %s', async (_, bytes) => {
    const file = await bench.put('dropped.json', bytes);
    const preview = await bench.importer.readFiles([file]);
    expect(preview.entries).toMatchObject([{ key: 'x', target: 'é' }]);
  });
});
