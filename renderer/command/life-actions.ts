import { announce } from '../store/announcer.ts';
import type { Model } from '../store/model.ts';
import { titleOf } from '../store/server-title.ts';

/** Stops a server's process; its tools stay listed and a call starts it again. */
export async function sleepServer(model: Model, key: string): Promise<void> {
  announce(model.announcer, `Putting ${titleOf(model, key)} to sleep`);
  await callServer(model, 'server.sleep', key);
}

export async function wakeServer(model: Model, key: string): Promise<void> {
  announce(model.announcer, `Waking ${titleOf(model, key)}`);
  await callServer(model, 'server.restart', key);
}

/** Checks a server's health now; the view shows the result. */
export async function checkHealth(model: Model, key: string): Promise<void> {
  announce(model.announcer, `Checking ${titleOf(model, key)}`);
  await callServer(model, 'server.checkHealth', key);
}

/** Applies the new config after a failed update, even if it may fail again. */
export async function forceUpdate(model: Model, key: string): Promise<void> {
  announce(model.announcer, `Restarting ${titleOf(model, key)} with its new config`);
  await callServer(model, 'server.forceUpdate', key);
}

export async function dismissUpdate(model: Model, key: string): Promise<void> {
  await callServer(model, 'server.dismissUpdate', key);
}

type PlainCall =
  | 'server.sleep'
  | 'server.restart'
  | 'server.checkHealth'
  | 'server.forceUpdate'
  | 'server.dismissUpdate';

async function callServer(model: Model, name: PlainCall, key: string): Promise<void> {
  const answer = await model.link.call(name, { key });
  if (!answer.ok) model.notify.problem(answer.problem);
}
