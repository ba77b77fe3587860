import { ProblemError, problem } from '../../../shared/error/problem.ts';
import type { Hub } from '../../engine/engine.ts';
import type { SystemPort } from '../ipc/handlers.ts';
import { externalLink } from './link-policy.ts';

/** Hands a link to the system if its scheme is harmless; throws ProblemError otherwise. */
export async function openExternal(url: string, system: Pick<SystemPort, 'openLink'>): Promise<void> {
  const link = externalLink(url);
  if (link === undefined) {
    const fix = 'Copy the link instead, if you trust its source.';
    throw new ProblemError(
      problem('app.refused_link', 'Only web and mail links are opened.', fix, { link: url }),
    );
  }
  await system.openLink(link);
}

/** Begins a sign-in in the browser; false where none could be opened, which the server's view then tells. */
export async function signInByBrowser(
  hub: Pick<Hub, 'run'>,
  system: Pick<SystemPort, 'openLink'>,
  key: string,
): Promise<boolean> {
  const { url } = await hub.run('server.signIn', { key });
  try {
    await openExternal(url, system);
    return true;
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    await hub.run('server.signInUnopened', { key });
    return false;
  }
}
