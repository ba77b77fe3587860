import { setFlagsFromString } from 'node:v8';

// The young generation is collected by the thread whose it is. What calls leave is garbage, of which nearly nothing has to be
// moved: to wake helpers for that takes longer, and on a machine with other work the program stands until each has had its turn.
setFlagsFromString('--no-parallel-scavenge');
