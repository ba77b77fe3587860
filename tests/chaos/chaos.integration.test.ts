import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { tempDir } from '../helper/temp-dir.ts';

const program = fileURLToPath(new URL('./chaos.mjs', import.meta.url));

const reportSchema = z.object({
  storm: z.object({
    verdicts: z.array(z.object({ rule: z.string(), ok: z.boolean(), detail: z.string() })),
    requests: z.looseObject({ all: z.number(), result: z.number() }),
    hubs: z.looseObject({ lives: z.number() }),
    serverKills: z.number(),
  }),
});

/** Linux shows what the program looks at: environments, memory, files of processes. */
it.skipIf(process.platform !== 'linux')(
  '[NFR-R1] [NFR-R2] [NFR-R3] [NFR-R4] [PB-ISO-1] [PB-PROC-1] [PB-BRIDGE-1] [PB-HEAD-1] a short storm breaks no rule: one answer each, to whom it belongs, nothing unsafe twice, nothing left',
  // The storm itself waits for a hundred seconds, more than once.
  { timeout: 400_000 },
  async () => {
    await using folder = await tempDir();
    const file = join(folder.path, 'report.json');
    const args = '--only storm --no-build --seconds 16 --seed 11 --servers 12 --clients 4'.split(' ');
    const chaos = spawn(process.execPath, [program, ...args, '--json', file], { stdio: 'pipe' });
    let told = '';
    for (const stream of [chaos.stdout, chaos.stderr]) {
      stream.on('data', (chunk) => {
        told += chunk;
      });
    }
    const [code] = await once(chaos, 'close');
    expect(code, told).toBe(0);
    const { storm } = reportSchema.parse(JSON.parse(await readFile(file, 'utf8')));
    expect(storm.verdicts.filter(({ ok }) => !ok)).toEqual([]);
    // Checks that there was a storm: the hub died, servers died, and clients kept calling.
    expect(storm.hubs.lives).toBeGreaterThan(1);
    expect(storm.serverKills).toBeGreaterThan(0);
    expect(storm.requests.result).toBeGreaterThan(30);
  },
);
