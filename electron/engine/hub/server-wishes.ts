import type { RunningHub } from './running-hub.ts';

/** Starts a server afresh on the user's wish: whatever was held against it is forgotten. */
export async function restartServer(
  { resilience, commands, supervisor }: RunningHub,
  key: string,
): Promise<void> {
  resilience.circuits.reset(key);
  await commands.lookAgain(key);
  supervisor.restart(key);
}

/** Puts a server to sleep on the user's wish. */
export async function putToSleep({ memory, supervisor }: RunningHub, key: string): Promise<void> {
  await memory.measure(key);
  supervisor.sleep(key);
}
