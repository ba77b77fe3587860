// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expandText, scopeOf } from '../../../../../electron/engine/config/entry/expand.ts';

const env = {
  HOME: '/home/ann',
  TOKEN: 's3cret',
  EMPTY: '',
  lower: 'low',
  TRICKY: '$HOME ${TOKEN}',
  'ProgramFiles(x86)': 'C:\\Program Files (x86)',
};
const expand = (text: string, platform: NodeJS.Platform = 'linux') =>
  expandText(text, scopeOf(env, platform));

describe('expandText', () => {
  it.each([
    ['$HOME/x', '/home/ann/x'],
    ['${HOME}/x', '/home/ann/x'],
    ['${env:TOKEN}', 's3cret'],
    ['Bearer ${TOKEN}!', 'Bearer s3cret!'],
    ['$TOKEN$TOKEN', 's3crets3cret'],
    ['${lower}', 'low'],
    ['$lower', 'low'],
    ['${EMPTY}', ''],
    ['${NOPE:-default}', 'default'],
    ['${EMPTY:-default}', 'default'],
    ['${TOKEN:-default}', 's3cret'],
    ['${NOPE:-}', ''],
    ['${NOPE:-a${TOKEN}b}', 'as3cretb'],
    ['${NOPE:-${NOPE:-deep}}', 'deep'],
    ['${env:NOPE:-x}', 'x'],
    ['${TRICKY}', '$HOME ${TOKEN}'],
    ['$$HOME', '$HOME'],
    ['$${HOME}', '${HOME}'],
  ])('[FR-002] expands %j', (text, value) => {
    expect(expand(text)).toEqual({ value, missing: [], unresolved: [] });
  });

  it.each([
    ['$5'],
    ['a$'],
    ['$$'],
    ['$$5'],
    ['$(date)'],
    ['$1 $@ $_ $?'],
    ['^foo$'],
    ['${'],
    ['${}'],
    ['${NOPE:-open'],
    ['${#list[@]}'],
    ['${x%%.*}'],
    ['%HOME%'],
    ['100%'],
  ])('leaves what is no reference untouched: %j', (text) => {
    expect(expand(text)).toEqual({ value: text, missing: [], unresolved: [] });
  });

  it.each([
    ['$NOPE', 'NOPE'],
    ['${NOPE}', 'NOPE'],
    ['${env:NOPE}', 'NOPE'],
    ['${nope}', 'nope'],
    ['x ${A_B:-${NOPE}}', 'NOPE'],
    ['${constructor}', 'constructor'],
    ['${input:token}', 'input:token'],
    ['${workspaceFolder}/x', 'workspaceFolder'],
    ['${secret:DB}', 'secret:DB'],
    ['${file:/etc/key}', 'file:/etc/key'],
    ['${{ secrets.KEY }}', '{ secrets.KEY }'],
  ])('[FR-002] reports %j as missing, once, and hands on no value', (text, name) => {
    expect(expand(`${text}${text}`).missing).toEqual([name]);
  });

  it('leaves $words of scripts and passwords alone, and names them', () => {
    expect(expand('for f in $files; do pa$sword')).toEqual({
      value: 'for f in $files; do pa$sword',
      missing: [],
      unresolved: ['files', 'sword'],
    });
  });

  it('knows %NAME% and names without regard to case on Windows only', () => {
    expect(expand('%home%\\x %NOPE% 100%', 'win32').value).toBe('/home/ann\\x %NOPE% 100%');
    expect(expand('%ProgramFiles(x86)%', 'win32').value).toBe('C:\\Program Files (x86)');
    expect(expand('${env:programfiles(x86)} $Token', 'win32').value).toBe('C:\\Program Files (x86) s3cret');
    expect(expand('${token}').missing).toEqual(['token']);
  });

  it('is total, and never touches a text without a sign', () => {
    const pieces = fc.array(
      fc.constantFrom('$', '{', '}', ':-', 'HOME', 'NOPE', 'env:', '$$', '${', '%', ' ', 'a', 'input:'),
      { maxLength: 60 },
    );
    fc.assert(fc.property(pieces, (parts) => void expand(parts.join(''), 'win32')));
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!text.includes('$'));
        expect(expand(text).value).toBe(text);
      }),
    );
  });

  it('stays quick on text made to be slow', () => {
    const hostile = '${A:-'.repeat(20_000);
    expect(expand(hostile).value).toHaveLength(hostile.length);
  });
});

describe('expandText with a vault', () => {
  const used: string[] = [];
  const scope = {
    ...scopeOf(env, 'linux'),
    secret: (name: string) => (name === 'DB' ? 'p$HOME{}' : undefined),
    used: (name: string) => void used.push(name),
  };

  it('[FR-002] [NFR-SEC1] replaces its secrets, whose values are not expanded again, and tells which', () => {
    expect(expandText('a ${secret:DB}|${NOPE:-${secret:DB}}', scope)).toEqual({
      value: 'a p$HOME{}|p$HOME{}',
      missing: [],
      unresolved: [],
    });
    expect(used).toEqual(['secret:DB', 'secret:DB', 'NOPE']);
  });

  it('[FR-002] [NFR-SEC1] names a missing one; `$$` makes it no reference', () => {
    expect(expandText('${secret:NO} $${secret:DB}', scope)).toEqual({
      value: '${secret:NO} ${secret:DB}',
      missing: ['secret:NO'],
      unresolved: [],
    });
  });
});
