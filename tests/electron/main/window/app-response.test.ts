import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findAsset } from '../../../../electron/main/window/app-asset.ts';
import { answerAsset } from '../../../../electron/main/window/app-response.ts';
import { tempDir } from '../../../helper/temp-dir.ts';

describe('the file behind a URL', () => {
  it.each([
    ['app://patchbay/', '/root/index.html'],
    ['app://patchbay/index.html?x=1#y', '/root/index.html'],
    ['app://patchbay/assets/a%20b.js', '/root/assets/a b.js'],
    ['app://patchbay/assets/../index.html', '/root/index.html'],
    ['app://patchbay/../../etc/passwd', undefined],
    ['app://patchbay/..%2f..%2fetc%2fa.json', undefined],
    ['app://patchbay/%2e%2e/%2e%2e/a.json', '/root/a.json'],
    ['app://patchbay/..%5c..%5ca.json', undefined],
    ['app://patchbay/a.json%00.js', undefined],
    ['app://patchbay/%zz.js', undefined],
    ['app://patchbay/a.exe', undefined],
    ['app://patchbay/noextension', undefined],
    ['app://other/index.html', undefined],
    ['https://patchbay/index.html', undefined],
  ])('[PB-SAFE-2] %s is %s', (url, file) => {
    expect(findAsset(url, resolve('/root'))?.file).toBe(file === undefined ? undefined : resolve(file));
  });

  it('[PB-SAFE-2] is never outside the folder', () => {
    const piece = fc.constantFrom(
      '..',
      '.',
      '%2e%2e',
      '%2f',
      '/',
      '\\',
      '%5c',
      'a',
      'root',
      'root2',
      '%00',
      '%',
      'b.js',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const found = findAsset(`app://patchbay/${pieces.join('')}.js`, '/root');
        expect(found === undefined || found.file.startsWith('/root/')).toBe(true);
      }),
    );
  });
});

describe('an answer to the window', () => {
  it('[PB-SAFE-2] is a page with its own policy and nonce', async () => {
    await using folder = await tempDir();
    await writeFile(join(folder.path, 'index.html'), '<meta name="csp-nonce" content="__CSP_NONCE__">');
    const [first, second] = await Promise.all(
      [1, 2].map(() => answerAsset('app://patchbay/index.html', folder.path)),
    );
    const nonce = /content="([^"]+)"/.exec((await first?.text()) ?? '')?.[1];
    const policy = first?.headers.get('content-security-policy') ?? '';
    expect(nonce).toHaveLength(24);
    expect(policy).toContain(`'nonce-${nonce}'`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(second?.headers.get('content-security-policy')).not.toBe(policy);
  });

  it('[PB-SAFE-2] names the kind of each file and forbids guessing', async () => {
    await using folder = await tempDir();
    await mkdir(join(folder.path, 'assets'));
    await writeFile(join(folder.path, 'assets', 'a.js'), 'export {};');
    const answer = await answerAsset('app://patchbay/assets/a.js', folder.path);
    expect(await answer.text()).toBe('export {};');
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it.each(['app://patchbay/missing.js', 'app://patchbay/assets.js/', 'app://patchbay/..%2fsecret.json'])(
    '[PB-SAFE-2] is 404 for %s',
    async (url) => {
      await using folder = await tempDir();
      expect((await answerAsset(url, folder.path)).status).toBe(404);
    },
  );
});
