import { maskKnown } from '../mask-known.ts';
import type { RunningHub } from '../running-hub.ts';
import { KnownSecrets } from '../tester/known-secrets.ts';
import type { AdminHandlers } from './admin-handlers.ts';

/** Masks secrets in the answers: servers may repeat secrets they were given in their own texts. */
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
