import { describe, expect, it } from 'vitest';
import { externalLink, isAppUrl } from '../../../../electron/main/window/link-policy.ts';

describe('a page of the window', () => {
  it.each([
    ['app://patchbay/index.html', true],
    ['app://patchbay/index.html#/servers', true],
    ['app://patchbay/', true],
    ['app://patchbay.evil/index.html', false],
    ['app://other/index.html', false],
    ['app://user@patchbay/index.html', false],
    ['app://patchbay:80/index.html', false],
    ['https://patchbay/index.html', false],
    ['file:///index.html', false],
    ['about:blank', false],
    ['data:text/html,x', false],
    ['blob:app://patchbay/1', false],
    ['', false],
  ])('[PB-SAFE-2] %s: %s', (url, own) => {
    expect(isAppUrl(url)).toBe(own);
  });
});

describe('a link to the outside', () => {
  it.each([
    ['https://example.org/a?b=c#d', 'https://example.org/a?b=c#d'],
    ['http://127.0.0.1:7420/mcp', 'http://127.0.0.1:7420/mcp'],
    ['mailto:someone@example.org', 'mailto:someone@example.org'],
    ['HTTPS://EXAMPLE.org', 'https://example.org/'],
    ['javascript:alert(1)', undefined],
    [' javascript:alert(1)', undefined],
    ['file:///etc/passwd', undefined],
    ['smb://server/share', undefined],
    ['ms-msdt:/id', undefined],
    ['app://patchbay/index.html', undefined],
    ['example.org', undefined],
    ['', undefined],
  ])('[PB-SAFE-2] %s is opened as %s', (url, link) => {
    expect(externalLink(url)).toBe(link);
  });
});
