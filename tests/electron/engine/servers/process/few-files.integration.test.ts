import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { bundle } from '../../../../helper/bundle.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';

describe('[NFR-R3] a hub that can open no more files', () => {
  it.skipIf(process.platform === 'win32')('outlives every program that it cannot start', async () => {
    await using folder = await tempDir();
    const program = await bundle(
      fileURLToPath(new URL('../../../../fixture/no-files.ts', import.meta.url)),
      folder.path,
    );
    const script = 'ulimit -n 64; exec "$0" "$1"';
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', script, process.execPath, program]);
    expect(JSON.parse(stdout)).toEqual({
      server: 'Patchbay has too many files open to start another program.',
      proof: 'EMFILE',
      question: 'none',
      shell: false,
    });
  });
});
