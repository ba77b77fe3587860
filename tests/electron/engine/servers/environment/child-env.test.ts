import { describe, expect, it } from 'vitest';
import { childEnvironment } from '../../../../../electron/engine/servers/environment/child-env.ts';
import { ancestorsVariable } from '../../../../../shared/model/server/loop.ts';

const make = (inherited: Record<string, string>, entry: Record<string, string> = {}, ignoreCase = false) => {
  const { [ancestorsVariable]: _, ...rest } = childEnvironment({
    inherited,
    entry,
    instanceId: 'x',
    ignoreCase,
  });
  return rest;
};

describe('the environment of a child', () => {
  it("[FR-011] is the entry's variables over the inherited ones", () => {
    expect(make({ PATH: '/bin', LANG: 'C' }, { LANG: 'de', API_KEY: 'k' })).toEqual({
      PATH: '/bin',
      LANG: 'de',
      API_KEY: 'k',
    });
  });

  it('[FR-011] inherits no secrets, nothing about this program and no shell functions', () => {
    const inherited = {
      HOME: '/h',
      HTTPS_PROXY: 'http://p',
      SSH_AUTH_SOCK: '/s',
      PWD: '/h',
      NODE_EXTRA_CA_CERTS: '/ca',
      GITHUB_TOKEN: 't',
      AWS_SECRET_ACCESS_KEY: 's',
      PATCHBAY_KEY: 'k',
      ELECTRON_RUN_AS_NODE: '1',
      npm_lifecycle_event: 'start',
      'BASH_FUNC_x%%': '() { :; }',
      old: '() { :; }',
    };
    expect(make(inherited)).toEqual({
      HOME: '/h',
      HTTPS_PROXY: 'http://p',
      SSH_AUTH_SOCK: '/s',
      PWD: '/h',
      NODE_EXTRA_CA_CERTS: '/ca',
    });
  });

  it('has one variable per name where case does not matter', () => {
    expect(make({ Path: 'C:\\a' }, { PATH: 'C:\\b' }, true)).toEqual({ PATH: 'C:\\b' });
    expect(make({ Path: 'C:\\a' }, { PATH: 'C:\\b' }, false)).toEqual({ Path: 'C:\\a', PATH: 'C:\\b' });
  });
});
