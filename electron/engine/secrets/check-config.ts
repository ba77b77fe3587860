import type { Problem } from '../../../shared/error/problem.ts';
import { systemClock } from '../base/clock.ts';
import { createConfigStore } from '../config/store/store.ts';
import { dataPaths } from '../store/files/data-dir.ts';
import { openSecretStore } from './secret-store.ts';
import { openVault } from './sign-ins.ts';

/** The hub's judgement of the config of a data folder. */
export interface ConfigCheck {
  readonly file: string;
  readonly servers: readonly string[];
  /** Problems that make the whole file, or the server `key`, unusable. */
  readonly faults: readonly Finding[];
  /** Problems that stop nothing. */
  readonly warnings: readonly Finding[];
}

interface Finding {
  readonly key?: string;
  readonly problem: Problem;
}

/** Judges the config as the hub does, including its secrets; starts nothing and writes nothing. */
export async function checkConfig(
  dataDir: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ConfigCheck> {
  const paths = dataPaths(dataDir);
  const vault = openVault({ ports: {}, paths, env, clock: systemClock });
  const secrets = await openSecretStore({
    vault,
    file: paths.secrets,
    clock: systemClock,
    onRead: () => {},
  });
  const config = await createConfigStore({ file: paths.config, env: () => env, secrets, create: false });
  const { servers, problem } = config.state;
  config.dispose();
  secrets.dispose();
  const ofFile = problem === undefined ? [] : [{ problem }];
  const broken = servers.flatMap(({ key, enabled, target }) =>
    target.ok ? [] : [{ key, enabled, problem: target.problem }],
  );
  const odd = servers.flatMap(({ key, warnings = [] }) => warnings.map((found) => ({ key, problem: found })));
  return {
    file: paths.config,
    servers: servers.map(({ key }) => key),
    faults: [...ofFile, ...broken.filter(({ enabled }) => enabled)],
    // Disabled servers do no harm yet.
    warnings: [...broken.filter(({ enabled }) => !enabled), ...odd],
  };
}
