import type { RunningHub } from './running-hub.ts';

/** Restarts a server at the user's request and resets its circuit breakers. */
export async function restartServer(
  { resilience, commands, supervisor }: RunningHub,
  key: string,
): Promise<void> {
  resilience.circuits.reset(key);
  await commands.lookAgain(key);
  supervisor.restart(key);
}

/** Puts a server to sleep at the user's request. */
export async function putToSleep({ memory, supervisor }: RunningHub, key: string): Promise<void> {
  await memory.measure(key);
  supervisor.sleep(key);
}
