import { describe, expect, it } from 'vitest';
import { isLoopback, proxyFor } from '../../../../../electron/engine/transport/http-client/proxy-rule.ts';

const proxy = 'http://proxy.corp:3128';

describe('the proxy of a URL', () => {
  it.each([
    ['https://x.dev/', {}, undefined],
    ['https://x.dev/', { HTTPS_PROXY: proxy }, proxy],
    ['https://x.dev/', { https_proxy: proxy, HTTPS_PROXY: 'http://other' }, proxy],
    ['https://x.dev/', { HTTP_PROXY: proxy }, undefined],
    ['http://x.dev/', { HTTP_PROXY: proxy }, proxy],
    ['http://x.dev/', { ALL_PROXY: proxy }, proxy],
    ['https://x.dev/', { HTTPS_PROXY: '', all_proxy: 'proxy.corp:3128' }, proxy],
    ['https://localhost:1/', { HTTPS_PROXY: proxy }, undefined],
    ['https://a.localhost/', { HTTPS_PROXY: proxy }, undefined],
    ['http://127.0.0.1:1/', { HTTP_PROXY: proxy }, undefined],
    ['http://[::1]:1/', { HTTP_PROXY: proxy }, undefined],
  ])('of %s by %j is %s', (url, env, expected) => {
    expect(proxyFor(new URL(url), env)).toBe(expected);
  });

  it.each([
    ['https://x.dev/', '*', false],
    ['https://x.dev/', 'x.dev', false],
    ['https://X.dev/', 'other, x.DEV', false],
    ['https://a.x.dev/', 'x.dev', false],
    ['https://a.x.dev/', '.x.dev', false],
    ['https://a.x.dev/', '*.x.dev other', false],
    ['https://notx.dev/', 'x.dev', true],
    ['https://x.dev/', 'x.dev:443', false],
    ['https://x.dev/', 'x.dev:8443', true],
    ['https://x.dev:8443/', 'x.dev:8443', false],
    ['https://10.1.2.3/', '10.0.0.0/8', false],
    ['https://11.1.2.3/', '10.0.0.0/8', true],
    ['https://[fd00::1]/', 'fd00::/8', false],
    ['https://[fd00::1]/', '[fd00::1]', false],
    ['https://110.1.2.3/', '1.2.3', true],
    ['https://x.dev/', '10.0.0.0/99,//,nonsense/8', true],
    ['https://x.dev/', '', true],
  ])('of %s is passed over by NO_PROXY=%s, or not', (url, list, isProxied) => {
    expect(proxyFor(new URL(url), { HTTPS_PROXY: proxy, NO_PROXY: list })).toBe(
      isProxied ? proxy : undefined,
    );
  });
});

describe('a host', () => {
  it.each([
    ['localhost', true],
    ['LOCALHOST', true],
    ['127.0.0.1', true],
    ['[::1]', true],
    ['127.example.com', false],
    ['localhost.example.com', false],
    ['128.0.0.1', false],
  ])('%s is this machine: %s', (host, expected) => {
    expect(isLoopback(host)).toBe(expected);
  });
});
