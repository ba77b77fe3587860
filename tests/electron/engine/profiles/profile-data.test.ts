import { expect, test } from 'vitest';
import {
  assignProfile,
  createProfile,
  deleteProfile,
  dropServers,
  type ProfileData,
  renameProfile,
  restoreProfile,
  restoreSelections,
  selectionsOf,
  selectServers,
  setTools,
} from '../../../../electron/engine/profiles/profile-data.ts';

const data: ProfileData = {
  version: 1,
  profiles: { code: { servers: { a: true, b: { only: ['x'] } } }, text: { servers: { a: true } } },
  clients: { cursor: 'code', other: 'text' },
};

test('[AG-US7-AC5] a profile keeps its place and its clients under another name', () => {
  const renamed = renameProfile(data, 'code', 'work');
  expect(Object.keys(renamed.profiles)).toEqual(['work', 'text']);
  expect(renamed.clients).toEqual({ cursor: 'work', other: 'text' });
  expect(() => renameProfile(data, 'code', 'text')).toThrow(/already/);
  expect(() => renameProfile(data, 'none', 'x')).toThrow(/no profile/);
});

test('[AG-US7-AC5] a copy is independent', () => {
  const copied = createProfile(data, 'copy', 'code');
  const changed = selectServers(copied, 'copy', { a: 'none', c: 'all', b: { except: ['y'] } });
  expect(changed.profiles.copy?.servers).toEqual({ b: { except: ['y'] }, c: true });
  expect(changed.profiles.code).toEqual(data.profiles.code);
  expect(() => createProfile(data, 'code', undefined)).toThrow(/already/);
});

test('[AG-US7-AC5] a profile in use is deleted only with force, and comes back with its clients', () => {
  expect(() => deleteProfile(data, 'code', false)).toThrow(/used by cursor/);
  const without = deleteProfile(data, 'code', true);
  expect(without).toMatchObject({ profiles: { text: {} }, clients: { other: 'text' } });
  const meanwhile = assignProfile(without, 'other', undefined);
  const back = restoreProfile(meanwhile, 'code', data);
  expect(back.profiles.code).toEqual(data.profiles.code);
  expect(back.clients).toEqual({ cursor: 'code' });
});

test('[AG-US6-AC3] a removed server leaves every profile, and returns to those it was in', () => {
  const parting = selectionsOf(data, 'a');
  const without = dropServers(data, new Set(['a']));
  expect(without.profiles).toEqual({ code: { servers: { b: { only: ['x'] } } }, text: { servers: {} } });
  const again = restoreSelections(without, 'a', parting);
  expect(again.profiles.text).toEqual(data.profiles.text);
  expect(again.profiles.code?.servers.a).toBe(true);
});

test('[AG-US7-AC5] only an existing profile can be assigned', () => {
  expect(assignProfile(data, 'zed', 'text').clients.zed).toBe('text');
  expect(() => assignProfile(data, 'zed', 'none')).toThrow(/no profile/);
});

test('[AG-US7-AC5] tools are added to and removed from any selection', () => {
  const servers = (key: string, names: string[], on: boolean) =>
    setTools(data, 'code', key, names, on).profiles.code?.servers[key];
  expect(servers('a', ['x'], false)).toEqual({ except: ['x'] });
  expect(servers('a', ['x'], true)).toBe(true);
  expect(servers('b', ['y'], true)).toEqual({ only: ['x', 'y'] });
  expect(servers('b', ['x'], false)).toBeUndefined();
  expect(servers('c', ['z'], true)).toEqual({ only: ['z'] });
});
