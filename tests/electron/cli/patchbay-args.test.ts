import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parsePatchbayArgs } from '../../../electron/cli/patchbay-args.ts';

const parse = (...argv: string[]) => parsePatchbayArgs(argv, '9.9.9');

describe('arguments of patchbay', () => {
  it.each([
    [['serve', '--port', '7421'], { kind: 'serve', port: 7421, debug: false }],
    [['status', '--json'], { kind: 'status', json: true }],
    [
      ['search', 'open', 'issue', '--limit', '5', '--data-dir', 'x'],
      { kind: 'search', query: 'open issue', servers: [], limit: 5, json: false, dataDir: resolve('x') },
    ],
    [['restart', 'files', '--data-dir', 'x'], { kind: 'restart', server: 'files', dataDir: resolve('x') }],
    [['secret', 'list'], { kind: 'secret', verb: 'list' }],
    [['activity', '--csv', '--last', '5'], { kind: 'activity', format: 'csv', most: 5 }],
    [['activity', '--data-dir', 'x'], { kind: 'activity', dataDir: resolve('x') }],
    [['activity', '--text'], { kind: 'activity', format: 'text' }],
    [['activity', '--jsonl'], { kind: 'activity', format: 'jsonl' }],
    [['secret', 'set', 'API', '--data-dir', 'x'], { verb: 'set', name: 'API', dataDir: resolve('x') }],
    [['secret', 'delete', 'API'], { verb: 'delete', name: 'API', force: false }],
    [['secret', 'delete', '--force', 'API'], { verb: 'delete', name: 'API', force: true }],
  ])('[PB-HEAD-1] understand %j', (argv, args) => {
    expect(parse(...argv)).toMatchObject(args);
  });

  it('[NFR-SEC1] hold no value of a secret, and a refusal does not repeat one', () => {
    const answer = parse('secret', 'set', 'API', 'hush');
    expect(answer.kind).toBe('usage');
    expect(JSON.stringify(answer)).not.toContain('hush');
  });

  it.each([
    [['secret']],
    [['search']],
    [['search', 'x', '--limit', '0']],
    [['restart']],
    [['status', '--data-dir', '']],
    [['secret', 'set']],
    [['secret', 'list', '--data-dir', '']],
    [[]],
  ])('refuse %j as wrong usage', (argv) => {
    expect(parse(...argv).kind).toBe('usage');
  });
});
