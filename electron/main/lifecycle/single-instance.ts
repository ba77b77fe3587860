import type { App } from 'electron';
import { z } from 'zod';
import type { LaunchOptions } from './launch-options.ts';

const requestSchema = z.object({ hidden: z.boolean(), addServer: z.boolean(), link: z.string().optional() });

/** Request of a second launch to the running app. */
export type SecondLaunch = Readonly<z.infer<typeof requestSchema>>;

/** True for the first app on this profile; any other has thereby sent its request to the first one. */
export function claimInstance(
  app: Pick<App, 'requestSingleInstanceLock'>,
  { hidden, addServer, link }: LaunchOptions,
): boolean {
  return app.requestSingleInstanceLock({
    hidden,
    addServer,
    ...(link === undefined ? {} : { link }),
  } satisfies SecondLaunch);
}

/** Calls `listener` for further launches. An unreadable request (of another version) shows the window. */
export function onSecondLaunch(app: Pick<App, 'on'>, listener: (request: SecondLaunch) => void): void {
  app.on('second-instance', (_event, _argv, _cwd, data) => {
    const request = requestSchema.safeParse(data);
    listener(request.success ? request.data : { hidden: false, addServer: false });
  });
}
