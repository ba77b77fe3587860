import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parsePatchbayArgs } from '../../../electron/cli/patchbay-args.ts';

function parse(...argv: string[]) {
  const line = parsePatchbayArgs(argv, '9.9.9');
  return line.kind === 'run' ? line.args : line;
}

describe('arguments of patchbay', () => {
  it.each([
    [
      ['sign-in', 'jira', '--client-id', 'ada', '--client-secret'],
      { kind: 'sign-in', server: 'jira', client: { clientId: 'ada', hasSecret: true } },
    ],
    [
      ['connect', 'apply', 'cursor', '--move'],
      { kind: 'connect', verb: 'apply', client: 'cursor', move: true },
    ],
    [
      ['access', 'ask-destructive', 'on'],
      { kind: 'access', json: false, command: { verb: 'ask-destructive', isOn: true } },
    ],
    [['import'], { kind: 'import', source: { kind: 'apps' }, yes: false, json: false }],
    [['import', '-', '--yes'], { source: { kind: 'input' }, yes: true }],
    [['import', 'x.json', '--json'], { source: { kind: 'file', file: resolve('x.json') }, json: true }],
    [['import', '--from', 'cursor'], { source: { kind: 'apps', client: 'cursor' } }],
    [['import', 'cursor://x/y?a=b'], { source: { kind: 'link', link: 'cursor://x/y?a=b' } }],
    [['import', '--undo', 'u1'], { source: { kind: 'undo', undoId: 'u1' } }],
    [['import', 'x.json', '--from', 'cursor'], { kind: 'usage' }],
    [['serve', '--port', '7421'], { kind: 'serve', port: 7421, debug: false }],
    [['status', '--json'], { kind: 'status', json: true }],
    [
      ['search', 'open', 'issue', '--limit', '5', '--data-dir', 'x'],
      { kind: 'search', query: 'open issue', servers: [], limit: 5, json: false, dataDir: resolve('x') },
    ],
    [['restart', 'files', '--data-dir', 'x'], { kind: 'restart', server: 'files', dataDir: resolve('x') }],
    [['enable', 'files'], { kind: 'one-server', verb: 'enable', server: 'files' }],
    [['disable', 'files', '--data-dir', 'x'], { verb: 'disable', server: 'files', dataDir: resolve('x') }],
    [['remove', 'files'], { verb: 'remove', server: 'files' }],
    [['remove', '--undo', 'u1'], { verb: 'undo-remove', undoId: 'u1' }],
    [['remove'], { kind: 'usage' }],
    [['remove', 'files', '--undo', 'u1'], { kind: 'usage' }],
    [['log', 'files', '--last', '5'], { verb: 'log', server: 'files', most: 5 }],
    [['lgo'], { kind: 'usage', text: expect.stringMatching(/Did you mean log\?\)\nSee patchbay --help/) }],
    [['secret', 'list'], { kind: 'secret', verb: 'list' }],
    [['activity', '--csv', '--last', '5'], { kind: 'activity', format: 'csv', most: 5 }],
    [['activity', '--data-dir', 'x'], { kind: 'activity', dataDir: resolve('x') }],
    [['activity', '--text'], { kind: 'activity', format: 'text' }],
    [['activity', '--jsonl'], { kind: 'activity', format: 'jsonl' }],
    [['secret', 'set', 'API', '--data-dir', 'x'], { verb: 'set', name: 'API', dataDir: resolve('x') }],
    [['secret', 'enter', 'acme'], { verb: 'enter', server: 'acme' }],
    [
      ['secret', 'enter', 'acme', 'GITHUB_TOKEN', '--header', 'X-Key', '--scheme', 'Bot'],
      { verb: 'enter', server: 'acme', value: 'GITHUB_TOKEN', header: 'X-Key', scheme: 'Bot' },
    ],
    [['secret', 'delete', 'API'], { verb: 'delete', name: 'API', force: false }],
    [['secret', 'delete', '--force', 'API'], { verb: 'delete', name: 'API', force: true }],
  ])('[PB-HEAD-1] understand %j', (argv, args) => {
    expect(parse(...argv)).toMatchObject(args);
  });

  it('[PB-HEAD-1] take the former name of a command, which the help no longer lists', () => {
    const former = parse('access', 'begin-anew');
    expect(former).toEqual(parse('access', 'continue'));
    expect(former).toMatchObject({ kind: 'access', command: { verb: 'begin-anew' } });
    expect(parse('access', '--help')).toMatchObject({ text: expect.not.stringContaining('begin-anew') });
  });

  it('[NFR-SEC1] hold no value of a secret, and a refusal does not repeat one', () => {
    const answer = parse('secret', 'set', 'API', 'hush');
    expect(answer.kind).toBe('usage');
    expect(JSON.stringify(answer)).not.toContain('hush');
  });

  const last = "option '--last <number>' argument";
  const number = 'It must be a whole number from';
  it.each([
    [['access', 'grant', 'x', 'all', '--minutes', 'abc'], `'abc' is invalid. ${number} 1 to 525600.`],
    [['access', 'grant', 'x', 'all', '--minutes', 'Infinity'], `'Infinity' is invalid. ${number}`],
    [['access', 'grant', 'x', 'all', '--minutes', '-1'], number],
    [['access', 'grant', 'x', 'all', '--minutes', '1.5'], number],
    [['access', 'grant', 'x', 'all', '--minutes', ''], number],
    [['activity', '--last', '0x10'], `${last} '0x10' is invalid. ${number} 1 to 1000000.`],
    [['activity', '--last', '1e3'], `${last} '1e3' is invalid.`],
    [['audit', 'list', '--last', '0'], `${last} '0' is invalid.`],
    [['search', 'x', ' '], `' ' is invalid for argument 'words'. The value is empty`],
    [['search', 'x', '--limit', '201'], `'201' is invalid. ${number} 1 to 200.`],
    [['serve', '--port', '80'], `'80' is invalid. ${number} 1024 to 65535.`],
    [['serve', '--port', ' 7421 '], number],
    [['access', 'grant', 'x', 'echo:'], "'echo:' is invalid for argument 'what'. It must be all, risk=low"],
    [['access', 'revoke', 'x', ''], "'' is invalid for argument 'what'."],
    [['access', 'grant', '', 'all'], "'' is invalid for argument 'name'. an identity needs a name"],
    [['access', 'answer', '', 'once'], "'' is invalid for argument 'id'. It must be an ID from"],
    [['audit', 'verify', '--head', 'abc'], 'It must be a hash printed by verify'],
    [['access', 'token', 'x', '--kind', 'person'], 'Allowed choices are client, agent.'],
    [['access', 'answer', 'id', 'yes'], 'Allowed choices are once, 15m, always, deny.'],
    [
      ['access', 'grant', 'x', 'all', '--ask', '--deny'],
      "option '--ask' cannot be used with option '--deny'",
    ],
    [['activity', '--csv', '--text'], "option '--text' cannot be used with option '--csv'"],
    [['activity', '--csv', '--jsonl'], "option '--jsonl' cannot be used with option '--csv'"],
    [
      ['connect', 'list', '--data-dir', ''],
      "option '--data-dir <folder>' argument '' is invalid. The value is empty",
    ],
    [['connect', 'apply', 'x', '--file', ''], "option '--file <file>' argument '' is invalid."],
    [['support', '--out', ''], "option '--out <file>' argument '' is invalid."],
  ])('[PB-HEAD-1] of a wrong value in %j say which it is and what is allowed', (argv, text) => {
    expect(parse(...argv)).toMatchObject({ kind: 'usage', text: expect.stringContaining(text) });
  });

  it.each([
    [['secret']],
    [['search']],
    [['search', 'x', '--limit', '0']],
    [['restart']],
    [['status', '--data-dir', '']],
    [['secret', 'set']],
    [['secret', 'enter']],
    [['secret', 'list', '--data-dir', '']],
    [[]],
  ])('refuse %j as wrong usage', (argv) => {
    expect(parse(...argv).kind).toBe('usage');
  });

  it('[PB-HEAD-1] have no command that the page about them leaves out', async () => {
    const help = parsePatchbayArgs(['--help'], '9.9.9');
    const list = help.kind === 'print' ? help.text.slice(help.text.indexOf('Commands:')) : '';
    const names = Array.from(list.matchAll(/^ {2}([a-z][a-z-]*)/gm), ([, name = '']) => name);
    const page = await readFile(new URL('../../../docs/command-line.md', import.meta.url), 'utf8');
    expect(names).toContain('restart');
    expect(names.filter((name) => name !== 'help' && !page.includes(`patchbay ${name}`))).toEqual([]);
  });
});
