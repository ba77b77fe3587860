// Must come first: the imports below would enlarge the young generation.
import './process/small-young-generation.ts';
import { keepAliveDuring } from './process/keep-alive.ts';
import { runPatchbay } from './run-patchbay.ts';

// Not awaited: modules that are imported later would wait for this one to finish.
void keepAliveDuring(() => runPatchbay(process.argv.slice(2), process.env)).then((code) => {
  // Anything that still holds a handle has been asked to end, and the exit code is known.
  process.exit(code);
});
