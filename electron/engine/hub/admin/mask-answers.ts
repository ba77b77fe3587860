import { maskKnown } from '../mask-known.ts';
import type { RunningHub } from '../running-hub.ts';
import { KnownSecrets } from '../tester/known-secrets.ts';
import type { AdminHandlers } from './admin-handlers.ts';

/** The same handlers, in whose views no secret stands that a server was given and says again in its own texts. */
export function maskAnswers(handlers: AdminHandlers, hub: () => Promise<RunningHub>): AdminHandlers {
  const secrets = new KnownSecrets();
  const show = async <T>(view: Promise<T>): Promise<T> => {
    const value = await view;
    secrets.learn(await hub());
    return maskKnown(value, secrets.mask);
  };
  return {
    ...handlers,
    'hub.status': (input) => show(handlers['hub.status'](input)),
    'search.find': (input) => show(handlers['search.find'](input)),
  };
}
