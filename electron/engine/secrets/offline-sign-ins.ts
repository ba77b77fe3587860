import { ProblemError } from '../../../shared/error/problem.ts';
import { withCommandNote } from '../activity/audit/note-command.ts';
import { systemClock } from '../base/clock.ts';
import { unknownServer } from '../catalogue/unknown-names.ts';
import type { ConfigStore } from '../config/contract.ts';
import { createConfigStore } from '../config/store/store.ts';
import { openDataDir } from '../store/files/data-dir.ts';
import type { OAuthServer, SignInView } from '../transport/oauth/contract.ts';
import { openSecretStore } from './secret-store.ts';
import { openSignIns, openVault, signInTarget } from './sign-ins.ts';

/** The sign-ins of a data folder on which no hub runs. All methods except `view` reject with ProblemError. */
export interface OfflineSignIns {
  /** Resolves to the address to open in a browser; `view` shows the progress. */
  signIn(key: string): Promise<{ readonly url: string }>;
  signOut(key: string): Promise<void>;
  view(key: string): SignInView | undefined;
  close(): Promise<void>;
}

/** Stores sign-ins in the vault, where the next hub finds them. */
export async function openOfflineSignIns(
  dataDir: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<OfflineSignIns> {
  const clock = systemClock;
  const paths = await openDataDir(dataDir);
  const vault = openVault({ ports: {}, paths, env, clock });
  const secrets = await openSecretStore({ vault, file: paths.secrets, clock, onRead: () => {} });
  const config = await createConfigStore({ file: paths.config, env: () => env, secrets, create: false });
  const signIns = openSignIns(vault, { ports: {}, paths, env, clock });
  return {
    signIn: (key) =>
      withCommandNote(paths, { kind: 'server', action: 'sign-in', serverKey: key }, async () =>
        signIns.signIn(serverOf(config, key)),
      ),
    signOut: (key) =>
      withCommandNote(paths, { kind: 'server', action: 'sign-out', serverKey: key }, async () =>
        signIns.signOut(serverOf(config, key)),
      ),
    view: (key) => signIns.view(key),
    close: async () => {
      await signIns.close();
      config.dispose();
      secrets.dispose();
    },
  };
}

function serverOf({ state }: ConfigStore, key: string): OAuthServer {
  const server = state.servers.find((one) => one.key === key);
  if (server !== undefined) return signInTarget(server);
  throw new ProblemError(state.problem ?? unknownServer(key));
}
