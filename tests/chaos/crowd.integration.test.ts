import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { tempDir } from '../helper/temp-dir.ts';

const program = fileURLToPath(new URL('./chaos.mjs', import.meta.url));
/** `npm run test:crowd` sets 10,000; the check uses few. */
const steps = Number(process.env.CROWD_STEPS ?? 500);

const reportSchema = z.object({
  crowd: z.object({
    verdicts: z.array(z.object({ rule: z.string(), ok: z.boolean(), detail: z.string() })),
    requests: z.looseObject({ all: z.number(), result: z.number() }),
    seen: z.record(z.string(), z.number()),
  }),
});

/** Messages that must have arrived for the run to prove anything. */
const telling = [
  ...['input_required', 'sampling/createMessage', 'elicitation/create', 'notifications/message'],
  ...['notifications/progress', 'notifications/resources/updated'],
];

it.skipIf(process.platform !== 'linux')(
  '[PB-DUAL-2] [PB-DUAL-3] [PB-ISO-1] sixteen clients of both eras over servers of both: no question, answer, notice, progress or log line reaches a wrong one',
  { timeout: 900_000 },
  async () => {
    await using folder = await tempDir();
    const file = join(folder.path, 'report.json');
    const args = `--only crowd --no-build --seed 4 --steps ${steps}`.split(' ');
    const crowd = spawn(process.execPath, [program, ...args, '--json', file], { stdio: 'pipe' });
    let told = '';
    for (const stream of [crowd.stdout, crowd.stderr]) {
      stream.on('data', (chunk) => {
        told += chunk;
      });
    }
    const [code] = await once(crowd, 'close');
    expect(code, told).toBe(0);
    const { crowd: report } = reportSchema.parse(JSON.parse(await readFile(file, 'utf8')));
    expect(report.verdicts.filter(({ ok }) => !ok)).toEqual([]);
    expect(report.requests.all).toBeGreaterThanOrEqual(steps);
    expect(report.requests.result).toBeGreaterThan(steps / 2);
    for (const what of telling) expect(report.seen[what] ?? 0, what).toBeGreaterThan(steps / 200);
  },
);
