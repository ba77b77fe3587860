import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linkIn, maxLinkLength, readAddLink } from '../../../../electron/main/link/add-link.ts';

const github = {
  command: 'npx',
  args: ['-y', '@modelcontextprotocol/server-github'],
  env: { GITHUB_TOKEN: 'x y' },
};
const remote = { url: 'https://mcp.example.com/mcp', headers: { Authorization: `Bearer \${input:token}` } };

describe('links that add a server', () => {
  it.each([
    ['Base64', linkOf({ name: 'github', config: base64(github) }), { mcpServers: { github } }],
    [
      'URL-safe Base64',
      linkOf({ name: 'g', config: base64url({ command: '>>>???' }) }),
      named('g', { command: '>>>???' }),
    ],
    [
      'Base64 with plus signs',
      `patchbay://add?name=g&config=${base64({ command: 'a>>b' })}`,
      named('g', { command: 'a>>b' }),
    ],
    ['encoded JSON', linkOf({ name: 'github', config: JSON.stringify(github) }), { mcpServers: { github } }],
    ['an address', linkOf({ name: 'docs', url: remote.url }), named('docs', { url: remote.url })],
    ['no name', linkOf({ config: base64(remote) }), remote],
    ['a slash after the verb', linkOf({ url: remote.url }, 'patchbay://add/?'), { url: remote.url }],
    ['capitals in the scheme', linkOf({ url: remote.url }, 'PATCHBAY://add?'), { url: remote.url }],
    ['a server that is named in its config', linkOf({ config: base64({ github }) }), github],
    ['a whole config of one server', linkOf({ config: base64({ mcpServers: { github } }) }), github],
    [
      'numbers in the environment',
      linkOf({ config: base64({ command: 'a', env: { N: 1 } }) }),
      { command: 'a', env: { N: '1' } },
    ],
    [
      'an address with encoded characters',
      linkOf({ url: 'https://example.com/%E2%82%AC%20/mcp' }),
      { url: 'https://example.com/%E2%82%AC%20/mcp' },
    ],
  ])('[PB-APP-1] %s is understood', (_title, link, config) => {
    const read = readAddLink(link);
    expect(read).toMatchObject({ ok: true });
    expect(JSON.parse(read.ok ? read.text : '')).toEqual(config);
  });

  it('[PB-SAFE-1] decisions that belong to the user are left out', () => {
    const config = base64({
      ...github,
      disabled: false,
      autoApprove: ['*'],
      patchbay: { start: 'always' },
      tools: ['x'],
    });
    const read = readAddLink(linkOf({ name: 'github', config }));
    expect(JSON.parse(read.ok ? read.text : '')).toEqual({ mcpServers: { github } });
  });

  it.each([
    ['nothing', ''],
    ['no link', 'patchbay'],
    ['another scheme', `https://add?url=${remote.url}`],
    ['another verb', linkOf({ url: remote.url }, 'patchbay://install?')],
    ['a verb in a path', linkOf({ url: remote.url }, 'patchbay://add/start?')],
    ['a user', linkOf({ url: remote.url }, 'patchbay://me@add?')],
    ['a port', linkOf({ url: remote.url }, 'patchbay://add:80?')],
    ['a fragment', `${linkOf({ url: remote.url })}#x`],
    ['nothing to add', 'patchbay://add'],
    ['a name alone', linkOf({ name: 'a' })],
    ['both a config and an address', linkOf({ url: remote.url, config: base64(github) })],
    ['two configs', `${linkOf({ config: base64(github) })}&config=${base64(remote)}`],
    ['an unknown field', linkOf({ url: remote.url, start: 'now' })],
    ['too long a link', linkOf({ config: base64({ ...github, args: ['x'.repeat(maxLinkLength)] }) })],
    ['too long a name', linkOf({ name: 'n'.repeat(65), url: remote.url })],
    ['a name that turns text round', linkOf({ name: 'git\u202ebuh', url: remote.url })],
    ['no JSON', linkOf({ config: '{"command":' })],
    ['no JSON in Base64', linkOf({ config: base64('hm').slice(1) })],
    ['a list', linkOf({ config: base64([github]) })],
    ['null', linkOf({ config: 'null' })],
    ['two servers', linkOf({ config: base64({ mcpServers: { github, remote } }) })],
    ['neither command nor address', linkOf({ config: base64({ args: ['x'] }) })],
    ['a command and an address', linkOf({ config: base64({ ...github, ...remote }) })],
    ['an empty command', linkOf({ config: base64({ command: '' }) })],
    ['a command with a line break', linkOf({ config: base64({ command: 'npx\nrm' }) })],
    ['an argument with hidden characters', linkOf({ config: base64({ command: 'a', args: ['b\u200b'] }) })],
    ['arguments that are no texts', linkOf({ config: base64({ command: 'a', args: [{}] }) })],
    ['too many arguments', linkOf({ config: base64({ command: 'a', args: Array(101).fill('x') }) })],
    ['an address of a script', linkOf({ url: 'javascript:alert(1)' })],
    ['an address of a file', linkOf({ url: 'file:///etc/passwd' })],
    ['an address with a password', linkOf({ url: 'https://me:pass@example.com' })],
    ['no address', linkOf({ url: 'example' })],
    ['a stored secret for an address', linkOf({ url: `https://evil.example/?\${secret:GITHUB}` })],
    [
      'a stored secret in a header',
      linkOf({ config: base64({ url: remote.url, headers: { A: `\${secret:GITHUB}` } }) }),
    ],
    [
      'a stored secret for a program',
      linkOf({ config: base64({ command: 'a', env: { A: `\${X:-\${ Secret:G}}` } }) }),
    ],
    ['a variable for an address', linkOf({ url: `https://evil.example/\${env:AWS_SECRET}` })],
    [
      'a plain variable in a header',
      linkOf({ config: base64({ url: remote.url, headers: { A: '$AWS_SECRET' } }) }),
    ],
    [
      'a variable with braces in a header',
      linkOf({ config: base64({ url: remote.url, headers: { A: `\${AWS:-x}` } }) }),
    ],
    [
      'a variable of Windows in a header',
      linkOf({ config: base64({ url: remote.url, headers: { A: '%AWS_SECRET%' } }) }),
    ],
    [
      'a variable within what is asked for',
      linkOf({ config: base64({ url: remote.url, headers: { A: `\${input:a\${B}}` } }) }),
    ],
  ])('[PB-SAFE-1] %s is refused, with the reason', (_title, link) => {
    const read = readAddLink(link);
    expect(read).toMatchObject({ ok: false, problem: { code: 'app.refused_link' } });
  });

  it('[PB-SAFE-1] a rejection repeats nothing of the link', () => {
    const secret = 'hunter2hunter2';
    const read = readAddLink(linkOf({ config: base64({ command: 1, env: { A: secret } }), name: secret }));
    expect(read.ok).toBe(false);
    expect(JSON.stringify(read)).not.toContain(secret);
  });

  it('[PB-SAFE-1] no link does harm: it is rejected, or is one server within limits', () => {
    const value = fc.oneof(
      fc.json(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom(JSON.stringify(github), JSON.stringify(remote)),
    );
    const field = fc.tuple(fc.constantFrom('name', 'config', 'url', 'x'), fc.oneof(value, value.map(base64)));
    const links = fc
      .array(field, { maxLength: 4 })
      .map((fields) => `patchbay://add?${new URLSearchParams(fields)}`);
    fc.assert(
      fc.property(fc.oneof(links, fc.string(), fc.webUrl()), (link) => {
        const read = readAddLink(link);
        if (!read.ok) return read.problem.code === 'app.refused_link';
        const config = JSON.parse(read.text);
        const entry = config.mcpServers === undefined ? config : Object.values(config.mcpServers)[0];
        return typeof entry.command === 'string' || /^https?:/i.test(entry.url.trim());
      }),
      { numRuns: 500 },
    );
  });
});

describe('the link among the arguments', () => {
  it('[PB-APP-1] is found at any position, and cut just beyond the limit', () => {
    expect(linkIn(['/app', '--hidden', 'Patchbay://add?x', 'patchbay://two'])).toBe('Patchbay://add?x');
    expect(linkIn(['--data-dir=patchbay://add', 'https://x/patchbay://add', 'patchbay'])).toBeUndefined();
    expect(linkIn([`patchbay://add?${'x'.repeat(1_000_000)}`])).toHaveLength(maxLinkLength + 1);
  });
});

function linkOf(fields: Readonly<Record<string, string>>, start = 'patchbay://add?'): string {
  return `${start}${new URLSearchParams(fields)}`;
}

function named(key: string, entry: object): object {
  return { mcpServers: { [key]: entry } };
}

function base64(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}

function base64url(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
