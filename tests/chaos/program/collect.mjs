/**
 * Loaded into every Node program of a storm. In the hub it collects all garbage each five seconds and notes in the file of
 * `PATCHBAY_CHAOS_MEMORY` how many bytes of data are left: how much garbage lies about, and how much of the program is
 * compiled and in how many versions, is V8's decision, and grows with the load.
 */
import { appendFileSync } from 'node:fs';
import { getHeapCodeStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const { PATCHBAY_CHAOS_MEMORY: file } = process.env;
const [, program = '', command] = process.argv;

if (file !== undefined && program.endsWith('patchbay.mjs') && command === 'serve') {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const note = () => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    const { code_and_metadata_size: code, bytecode_and_metadata_size: bytecode } = getHeapCodeStatistics();
    const live = heapUsed + external - code - bytecode;
    const sample = { pid: process.pid, age: process.uptime() * 1_000, live };
    appendFileSync(file, `${JSON.stringify(sample)}\n`);
  };
  setInterval(note, 5_000).unref();
}
