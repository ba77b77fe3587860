import { describe, expect, it } from 'vitest';
import { parseAggregatorArgs } from '../../../../electron/cli/aggregator/aggregator.ts';

const parse = (...argv: string[]) => parseAggregatorArgs(argv, '9.9.9');

describe('arguments of mcp-simple-aggregator', () => {
  it('[FR-001] [CLI-1] takes the config path and fills in the rest', () => {
    expect(parse('--config', 'a.json')).toEqual({
      kind: 'run',
      config: 'a.json',
      debug: false,
      name: 'mcp-simple-aggregator',
      serverVersion: '9.9.9',
    });
  });

  it('[CLI-1] takes every option', () => {
    const argv = ['--config=a.json', '--debug', '--name', 'mine', '--version', '2.0.0', '--names', 'safe'];
    expect(parse(...argv)).toEqual({
      kind: 'run',
      config: 'a.json',
      debug: true,
      name: 'mine',
      serverVersion: '2.0.0',
      names: 'safe',
    });
  });

  it('[US1.2] names the missing argument', () => {
    const answer = parse();
    expect(answer.kind).toBe('usage');
    expect(answer).toHaveProperty('text', expect.stringContaining('--config'));
  });

  it.each([
    ['an unknown option', ['--config', 'a', '--colour']],
    ['an unknown name style', ['--config', 'a', '--names', 'camel']],
    ['a missing value', ['--config']],
    ['an empty config', ['--config', '']],
    ['an empty name', ['--config', 'a', '--name', '']],
    ['an empty version', ['--config', 'a', '--version', ' ']],
    ['a stray argument', ['--config', 'a', 'b']],
  ])('[CLI-1] refuses %s as wrong usage', (_what, argv) => {
    expect(parse(...argv).kind).toBe('usage');
  });

  it('[CLI-1] prints help and version', () => {
    expect(parse('--help')).toMatchObject({
      kind: 'print',
      text: expect.stringContaining('--config <file>'),
    });
    expect(parse('--version')).toEqual({ kind: 'print', text: '9.9.9\n' });
  });
});
