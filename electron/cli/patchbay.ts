// First: what is loaded below would enlarge it.
import './small-young-generation.ts';
import '../engine/base/collect-alone.ts';
import { runPatchbay } from './run-patchbay.ts';
import { stayAlive } from './stay-alive.ts';

// Not awaited: what is loaded later, from a file of its own, would wait for it in turn.
void stayAlive(() => runPatchbay(process.argv.slice(2), process.env)).then((code) => {
  // Whatever still holds a handle has been told to end; the exit code is known.
  process.exit(code);
});
