import { runPatchbay } from './run-patchbay.ts';
import { stayAlive } from './stay-alive.ts';

process.exitCode = await stayAlive(() => runPatchbay(process.argv.slice(2), process.env));
// Whatever still holds a handle has been told to end; the exit code is known.
process.exit();
