import { describe, expect, it } from 'vitest';
// @ts-expect-error a script of the build, which has no types
import { updateFeed } from '../../build/update-feed.mjs';

describe('the address of updates', () => {
  it.each([[{}], [{ PATCHBAY_UPDATE_URL: '' }]])(
    '[PB-APP-1] is none where the build names none: %j',
    (env) => {
      expect(updateFeed(env)).toBeNull();
    },
  );

  it.each(['https://updates.example/p', 'http://127.0.0.1:8080/'])('[PB-APP-1] may be %s', (url) => {
    expect(updateFeed({ PATCHBAY_UPDATE_URL: url })).toEqual([{ provider: 'generic', url }]);
  });

  it.each(['http://updates.example/', 'ftp://updates.example/', 'updates'])(
    '[PB-APP-1] may not be %s',
    (url) => {
      expect(() => updateFeed({ PATCHBAY_UPDATE_URL: url })).toThrow('PATCHBAY_UPDATE_URL');
    },
  );
});
