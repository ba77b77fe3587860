import { expect, it } from 'vitest';
import { expandTemplate, templateVariables } from '../../../../renderer/lib/tool/expand-template.ts';

const values = { var: 'value', hello: 'Hello World!', path: '/foo/bar', x: '1024', y: '768', empty: '' };

/** Examples from RFC 6570. */
it.each([
  ['{var}', 'value'],
  ['{hello}', 'Hello%20World!'],
  ['{+hello}', 'Hello%20World!'],
  ['{+path}/here', '/foo/bar/here'],
  ['{path}', '%2Ffoo%2Fbar'],
  ['X{#var}', 'X#value'],
  ['map?{x,y}', 'map?1024,768'],
  ['X{.x,y}', 'X.1024.768'],
  ['{/var,x}/here', '/value/1024/here'],
  ['{;x,y}', ';x=1024;y=768'],
  ['{?x,y}', '?x=1024&y=768'],
  ['?fixed=yes{&x}', '?fixed=yes&x=1024'],
  ['{var:3}', 'val'],
  ['a{none}b{/none}{?none}', 'ab'],
])('%s becomes %s', (template, uri) => {
  expect(expandTemplate(template, values)).toBe(uri);
});

it('knows the variables of a template', () => {
  expect(templateVariables('repo://{owner}/{repo}{/path*}{?owner,ref:7}')).toEqual([
    'owner',
    'repo',
    'path',
    'ref',
  ]);
});
