import { setFlagsFromString } from 'node:v8';

// Scavenges on the calling thread only. Calls leave almost nothing but garbage, so there is hardly anything
// to move: waking helper threads takes longer than that, and on a busy machine the program pauses until each
// of them has been scheduled.
setFlagsFromString('--no-parallel-scavenge');
