import { describe, expect, it } from 'vitest';
import { versionAfterExit } from '../../../../electron/engine/supervise/protocol-revisions.ts';

describe('[NFR-R1] the version to ask for after a program has quit', () => {
  it.each([
    ['nothing', []],
    ['no database', ['Error: no database at 2024-11-05']],
    ['of a version of something else', ['node: unsupported version 18']],
  ])('is none if its output is about %s', (_what, lastWords) => {
    expect(versionAfterExit(lastWords, '2025-11-25')).toBeUndefined();
  });

  it('is none if the output names only unknown versions', () => {
    expect(versionAfterExit(['protocol version must be 2019-01-01'], '2025-11-25')).toBeUndefined();
  });

  it('is none if the first common one has just been tried', () => {
    expect(versionAfterExit(['bad protocolVersion'], '2024-11-05')).toBeUndefined();
  });
});
