import { describe, expect, it } from 'vitest';
import { startProcess } from '../../../../../electron/engine/servers/process/spawn-child.ts';

const node = (code: string) => ({
  file: process.execPath,
  args: ['-e', code],
  env: { PATH: process.env.PATH ?? '' },
  cwd: process.cwd(),
});

describe('[NFR-R3] [PB-LOAD-1] output of a program that quits at once', () => {
  it('is there for a reader that comes after its end', async () => {
    const program = await startProcess(node("console.log('Usage: x'); console.error('no folder')"));
    await program.exited;
    // Long enough for Node to discard it if nobody keeps it.
    await new Promise((resolve) => setTimeout(resolve, 200));
    const read = { stdout: '', stderr: '' };
    program.stdout.on('data', (chunk) => {
      read.stdout += chunk;
    });
    program.stderr.on('data', (chunk) => {
      read.stderr += chunk;
    });
    await program.drained;
    expect(read).toEqual({ stdout: 'Usage: x\n', stderr: 'no folder\n' });
  });
});
