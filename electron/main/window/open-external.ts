import { ProblemError, problem } from '../../../shared/error/problem.ts';
import type { Hub } from '../../engine/engine.ts';
import type { SystemPort } from '../ipc/handler-context.ts';
import { externalLink } from './link-policy.ts';

/** Opens a link if its scheme is allowed; throws ProblemError otherwise. */
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

/** Starts a sign-in in the browser; false if none could be opened, which the server's view then shows. */
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
