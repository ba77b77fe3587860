import { describe, expect, it } from 'vitest';
import { errorText, issuesOf, otherIssues } from '../../../renderer/lib/entry/field-issues.ts';
import { freeKey } from '../../../renderer/lib/entry/free-key.ts';
import { syntaxIssues } from '../../../renderer/lib/entry/syntax-issues.ts';
import { groupBy } from '../../../renderer/lib/group-by.ts';
import { programName } from '../../../renderer/lib/server/program-name.ts';
import { serverGroup, serverLook } from '../../../renderer/lib/server/server-status.ts';
import { joinWords } from '../../../renderer/lib/text/join-words.ts';
import { problemText } from '../../../renderer/lib/text/problem-text.ts';
import { differenceText } from '../../../renderer/lib/tool/tool-difference.ts';
import { type ServerStatus, type ServerView, serverStatuses } from '../../../shared/model/server/server.ts';
import { splitCommand, splitLauncherCommand } from '../../../shared/split-command.ts';
import { aServer } from '../helper/sample-views.ts';
import { refused } from '../helper/test-model.ts';

describe('a pasted command line', () => {
  it.each([
    ['npx -y server /tmp', ['npx', '-y', 'server', '/tmp']],
    [`uvx tool --name "two words" 'single one'`, ['uvx', 'tool', '--name', 'two words', 'single one']],
    ['run a\\ b', ['run', 'a b']],
    ['C:\\tools\\node.exe x', ['C:\\tools\\node.exe', 'x']],
    ['', []],
  ])('%s is split like in a shell', (line, words) => {
    expect(splitCommand(line)).toEqual(words);
  });

  it.each([
    ['npx -y server "two words"', ['npx', '-y', 'server', 'two words']],
    [' docker run x ', ['docker', 'run', 'x']],
    ['npx', undefined],
    ['/Applications/My Tool/server --flag', undefined],
  ])('%s is one of a launcher', (line, words) => {
    expect(splitLauncherCommand(line)).toEqual(words);
  });
});

describe('mistakes in JSON', () => {
  it('are found with their position, and comments are allowed', () => {
    expect(syntaxIssues('{ "a": 1, // fine\n }')).toEqual([]);
    const [first] = syntaxIssues('{ "a": 1 "b": 2 }');
    expect(first).toMatchObject({ message: 'Comma expected', from: 9 });
  });
});

describe('issues of an entry', () => {
  const issues = [
    { severity: 'error', path: 'env.A', message: 'Missing.' },
    { severity: 'warning', path: 'env', message: 'Odd.' },
    { severity: 'error', path: 'args[0]', message: 'Not a text.' },
    { severity: 'error', path: 'envFile', message: 'Gone.' },
  ] as const;

  it('are assigned to their field, and the rest listed separately', () => {
    expect(issuesOf(issues, 'env')).toHaveLength(2);
    expect(errorText(issuesOf(issues, 'env'))).toBe('Missing.');
    expect(errorText(issuesOf(issues, 'command'))).toBeUndefined();
    expect(otherIssues(issues, ['env', 'args'])).toEqual([issues[3]]);
  });
});

describe('small things', () => {
  it('finds a key that is free', () => {
    expect(freeKey('a', new Set(['b']))).toBe('a');
    expect(freeKey('a', new Set(['a', 'a-2']))).toBe('a-3');
  });

  it('groups in order, whatever the keys are called', () => {
    expect(groupBy(['b1', 'a1', 'b2'], (text) => text.charAt(0))).toEqual({ b: ['b1', 'b2'], a: ['a1'] });
    expect(Object.keys(groupBy(['x'], () => '__proto__'))).toEqual(['__proto__']);
  });

  it('copies a problem with all that the card shows', () => {
    const text = problemText(
      {
        code: 'server.crashed',
        sentence: 'It crashed.',
        fix: 'Look at the log.',
        evidence: [
          { label: 'exit', value: '1' },
          { label: 'stderr', value: 'a\nb' },
        ],
      },
      'github',
    );
    expect(text).toBe(
      'server.crashed (github)\nIt crashed.\nWhat to do: Look at the log.\nexit: 1\nstderr:\n  a\n  b',
    );
  });

  it.each([
    [[], ''],
    [['a'], 'a'],
    [['a', 'b', 'c'], 'a, b and c'],
    [['a', 'b', 'c', 'd', 'e'], 'a, b and 3 more'],
  ])('lists %j as a sentence would', (words, text) => {
    expect(joinWords(words, 3)).toBe(text);
  });

  it.each([
    ['/usr/bin/npx', 'npx'],
    ['C:\\tools\\npx.CMD', 'npx'],
    ['uvx', 'uvx'],
  ])('knows %s by its plain name', (command, name) => {
    expect(programName(command)).toBe(name);
  });

  it.each([
    [{ added: [], removed: [], changed: [] }, 'no changes to its tools'],
    [{ added: ['a'], removed: [], changed: ['b', 'c'] }, '1 tool added, 2 changed'],
    [{ added: [], removed: ['a', 'b'], changed: [] }, '2 tools removed'],
  ])('says what a config does to the tools: case %#', (difference, text) => {
    expect(differenceText(difference)).toBe(text);
  });

  it('[PB-A11Y-1] has a distinct word for every state', () => {
    const labels = serverStatuses.map((status) => serverLook({ status }).label);
    labels.push(serverLook({ status: 'disconnected', asleep: { since: 0 } }).label);
    expect(new Set(labels).size).toBe(serverStatuses.length + 1);
    const group = (status: ServerStatus, more: Partial<ServerView> = {}) =>
      serverGroup(aServer('a', { status, ...more }));
    expect(serverStatuses.filter((status) => group(status) === 'attention')).toEqual([
      'degraded',
      'needs-auth',
      'error',
    ]);
    const failed = { kind: 'failed' as const, at: 0, problem: refused.problem };
    expect(group('connected', { update: failed })).toBe('attention');
    expect(group('connected', { update: { kind: 'starting', since: 0 } })).toBe('running');
  });
});
