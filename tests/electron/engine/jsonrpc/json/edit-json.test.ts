import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editMembers, readMember } from '../../../../../electron/engine/jsonrpc/json/edit-json.ts';

const { raw } = String;

function edit(text: string, path: readonly string[], edits: Readonly<Record<string, string | null>>): string {
  const list = Object.entries(edits).map(([name, value]) => ({
    name,
    value: value === null ? undefined : Buffer.from(value),
  }));
  return editMembers(Buffer.from(text), path, list).toString();
}

const read = (text: string, ...path: string[]) => readMember(Buffer.from(text), path)?.toString();

describe('reading a member', () => {
  it('gives its bytes as they are, without the space around them', () => {
    const text = raw`{ "a" : { "b":[1.0, "é\u0041" ] } , "\u0063":-0e5 ,"a/b":null}`;
    expect(read(text, 'a', 'b')).toBe(raw`[1.0, "é\u0041" ]`);
    expect(read(text, 'c')).toBe('-0e5');
    expect(read(text, 'a/b')).toBe('null');
    expect(read(` ${text}\n`)).toBe(text);
  });

  it('gives the last of a repeated member', () => {
    expect(read(raw`{"a":{"b":1},"\u0061":{"b":2,"b":3}}`, 'a', 'b')).toBe('3');
  });

  it.each([
    ['{}', 'a'],
    ['{"a":1}', 'b'],
    ['{"b":{"a":1}}', 'a'],
    ['[{"a":1}]', 'a'],
    ['{"a":1', 'a'],
    ['{"a":1}}', 'a'],
    ['{"a":1,}', 'a'],
    ['', 'a'],
  ])('gives nothing for %j', (text, name) => expect(read(text, name)).toBeUndefined());

  it('gives nothing below a value that is not an object', () => {
    expect(read('{"a":[1],"b":"c"}', 'a', '0')).toBeUndefined();
    expect(read('{"a":[1],"b":"c"}', 'b', 'length')).toBeUndefined();
  });
});

describe('editing members', () => {
  it('replaces values and leaves the rest as it was', () => {
    const text = ' { "a" :\t1.0 ,\r\n"b": [ 2 ],"c":{"a":3}}\n';
    expect(edit(text, [], { b: '"é"', a: 'null' })).toBe(' { "a" :\tnull ,\r\n"b": "é","c":{"a":3}}\n');
    expect(edit(text, ['c'], { a: '4' })).toBe(' { "a" :\t1.0 ,\r\n"b": [ 2 ],"c":{"a":4}}\n');
  });

  it('inserts new members last', () => {
    expect(edit('{"a":1 }\n', [], { b: '2', c: '{}' })).toBe('{"a":1,"b":2,"c":{} }\n');
    expect(edit('{}', [], { a: '1', b: '2' })).toBe('{"a":1,"b":2}');
    expect(edit('{ \n }', [], { a: '1' })).toBe('{"a":1 \n }');
    expect(edit('{}', [], { 'a"\n': '1' })).toBe(raw`{"a\"\n":1}`);
  });

  it('removes members with one comma each', () => {
    const text = '{ "a":1 , "b":2,\n"c":3 }';
    expect(edit(text, [], { a: null })).toBe('{ "b":2,\n"c":3 }');
    expect(edit(text, [], { b: null })).toBe('{ "a":1 , "c":3 }');
    expect(edit(text, [], { c: null })).toBe('{ "a":1 , "b":2 }');
    expect(edit(text, [], { a: null, c: null })).toBe('{ "b":2 }');
    expect(edit(text, [], { a: null, b: null, c: null })).toBe('{  }');
    expect(edit(text, [], { a: null, b: null, c: null, d: '4' })).toBe('{ "d":4 }');
  });

  it('finds keys however they are escaped, and keeps them so', () => {
    expect(edit(raw`{"\u0061":1,"b":2}`, [], { a: '3' })).toBe(raw`{"\u0061":3,"b":2}`);
    expect(edit(raw`{"\u0061":{"b":2}}`, ['a'], { b: null })).toBe(raw`{"\u0061":{}}`);
    expect(edit(raw`{"\\u0061":1}`, [], { a: null })).toBe(raw`{"\\u0061":1}`);
  });

  it('edits all of a repeated member alike', () => {
    const text = '{"a":1, "b":2, "a":{"c":3} }';
    expect(edit(text, [], { a: '4' })).toBe('{"a":4, "b":2, "a":4 }');
    expect(edit(text, [], { a: null })).toBe('{"b":2 }');
    expect(edit(text, ['a'], { c: '4' })).toBe('{"a":{"c":4}, "b":2, "a":{"c":4} }');
    expect(edit(text, [], { b: '4' })).toBe('{"a":1, "b":4, "a":{"c":3} }');
  });

  it('makes missing objects only to set a value', () => {
    expect(edit('{"a":1}', ['b', 'c'], { d: '2' })).toBe('{"a":1,"b":{"c":{"d":2}}}');
    expect(edit('{"a":1}', ['b', 'c'], { d: null })).toBe('{"a":1}');
  });

  it('returns the same bytes if there is nothing to edit', () => {
    const bytes = Buffer.from('{"a":{"b":1},"c":null}');
    const removal = [{ name: 'd', value: undefined }];
    for (const path of [[], ['a'], ['c'], ['a', 'b'], ['e', 'f']]) {
      expect(editMembers(bytes, path, removal)).toBe(bytes);
      expect(editMembers(bytes, path, [])).toBe(bytes);
    }
  });

  it('refuses to set a value inside something that is not an object', () => {
    for (const value of ['null', '1', '"{}"', '[{}]']) {
      expect(() => edit(`{"a":${value}}`, ['a'], { b: '1' })).toThrow(TypeError);
    }
  });

  it.each(['', '[]', '"a"', '{', '{"a":1', '{"a":1,}', '{"a" 1}', '{a:1}', '{"a":1}}', '{"a":tru}', '{,}'])(
    'refuses %j',
    (text) => expect(() => edit(text, [], { b: '1' })).toThrow(SyntaxError),
  );
});

type Json = Readonly<Record<string, unknown>>;

const space = fc.constantFrom('', '', '', ' ', '\n', '\t \r\n');
const names = ['a', 'b', '', 'é', 'a"\\', '__proto__', 'length'];
/** The texts of each key: plain, and with its characters escaped. */
const key = fc.constantFrom(...names).chain((name) => {
  const escaped = [...name].map((char) => raw`\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return fc.constantFrom(JSON.stringify(name), `"${escaped.join('')}"`);
});
const { object } = fc.letrec<{ object: string; value: string }>((tie) => ({
  object: fc
    .tuple(space, fc.array(fc.tuple(space, key, space, space, tie('value'), space), { maxLength: 5 }))
    .map(([inside, members]) => {
      const texts = members.map(([a, name, b, c, value, d]) => `${a}${name}${b}:${c}${value}${d}`);
      return `{${members.length === 0 ? inside : texts.join(',')}}`;
    }),
  value: fc.oneof({ depthSize: 'small' }, fc.json({ maxDepth: 1 }), tie('object')),
}));
const name = fc.constantFrom(...names, 'new');
const edits = fc.uniqueArray(fc.record({ name, value: fc.option(fc.json({ maxDepth: 1 })) }), {
  maxLength: 4,
  selector: (edit) => edit.name,
});

/** Edits the parsed value in the plain way. Returns undefined if a value cannot be set there. */
function editValue(value: unknown, path: readonly string[], list: Map<string, string | null>): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const members = new Map<string, unknown>(Object.entries(value as Json));
  const [first, ...inner] = path;
  if (first === undefined) {
    for (const [one, text] of list) text === null ? members.delete(one) : members.set(one, JSON.parse(text));
  } else {
    const isSet = [...list.values()].some((text) => text !== null);
    const edited = editValue(members.get(first) ?? (members.has(first) ? null : {}), inner, list);
    if (edited === undefined && isSet) return undefined;
    if (edited !== undefined && (members.has(first) || isSet)) members.set(first, edited);
  }
  return Object.fromEntries(members);
}

describe('editing members of any object', () => {
  const options = { seed: 20_261_130, numRuns: 300 };
  const path = fc.array(name, { maxLength: 2 });

  it('does the same as editing the parsed value', () => {
    const property = fc.property(object, path, edits, (text, at, list) => {
      const expected = editValue(JSON.parse(text), at, new Map(list.map((one) => [one.name, one.value])));
      const bytes = Buffer.from(text);
      const buffers = list.map((one) => ({
        name: one.name,
        value: one.value === null ? undefined : Buffer.from(one.value),
      }));
      if (expected === undefined) {
        expect(() => editMembers(bytes, at, buffers)).toThrow(TypeError);
        return;
      }
      const edited = editMembers(bytes, at, buffers);
      expect(JSON.parse(edited.toString())).toEqual(expected);
      expect(bytes.toString()).toBe(text);
      const touched = new Set(at.length === 0 ? list.map((one) => one.name) : [at[0]]);
      for (const one of names.filter((other) => !touched.has(other))) {
        expect(readMember(edited, [one])).toEqual(readMember(bytes, [one]));
      }
    });
    fc.assert(property, options);
  });

  it('gives back every byte when an inserted member is removed', () => {
    const property = fc.property(object, space, fc.json(), (text, around, value) => {
      const whole = `${around}${text}${around}`;
      const inserted = edit(whole, [], { new: value });
      expect(read(inserted, 'new')).toBe(value.trim());
      expect(edit(inserted, [], { new: null })).toBe(whole);
    });
    fc.assert(property, options);
  });

  it('reads what JSON.parse reads', () => {
    const property = fc.property(object, name, name, (text, outer, inner) => {
      const value = JSON.parse(text) as Json;
      const found = Object.hasOwn(value, outer) ? value[outer] : undefined;
      const bytes = read(text, outer);
      expect(bytes === undefined ? undefined : JSON.parse(bytes)).toEqual(found);
      const isInner = typeof found === 'object' && found !== null && !Array.isArray(found);
      const below = read(text, outer, inner);
      expect(below !== undefined).toBe(isInner && Object.hasOwn(found, inner));
    });
    fc.assert(property, options);
  });
});
