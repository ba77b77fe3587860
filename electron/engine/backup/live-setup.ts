import type { Clock } from '../base/clock.ts';
import type { ConfigStore } from '../config/contract.ts';
import { validateConfigText } from '../config/store/read-config.ts';
import type { StateDb } from '../store/db/state-db.ts';
import type { DataPaths } from '../store/files/data-dir.ts';
import type { SecretVault } from '../store/files/secret-vault.ts';
import type { SetupStorage } from './backups.ts';
import { type SetupFileName, writeSetupFile } from './restore-journal.ts';
import type { Setup } from './setup.ts';
import { replaceSetupRows } from './setup-rows.ts';

/** A part of the hub that reads its stored state again. */
interface Reloadable {
  reload(): unknown;
}

interface LiveSetupOptions {
  readonly paths: DataPaths;
  readonly vault: SecretVault;
  readonly kept: { readonly state: StateDb; flush(): Promise<void> };
  readonly clock: Clock;
  readonly settings: { readonly version: string };
  readonly config: Pick<ConfigStore, 'state' | 'replaceText'>;
  /** See ConfigStoreOptions. */
  readonly newKey: (key: string, from: string | undefined) => void;
  readonly guard: Reloadable;
  readonly secrets: Reloadable;
  readonly profiles: Reloadable;
  readonly access: { readonly service: Reloadable };
  readonly search: Reloadable;
  readonly listener: {
    settingsRestored(text: string | undefined): Promise<readonly string[]>;
    checksRestored(): void;
  };
}

/**
 * The setup of a running hub, which applies restored data itself. The config comes last, since it changes
 * servers.
 */
export function liveSetup(options: LiveSetupOptions): SetupStorage {
  const { paths, vault, kept, clock, settings, config, guard, secrets, profiles } = options;
  const { access, search, listener } = options;
  return {
    paths,
    vault,
    state: kept.state,
    clock,
    version: settings.version,
    flush: () => kept.flush(),
    async applyRows(setup) {
      // Records of a removed server must not apply to another server with the same name.
      for (const key of newKeys(config.state.servers, setup)) options.newKey(key, undefined);
      await kept.flush();
      await replaceSetupRows(kept.state, setup.rows);
    },
    async applyFiles(setup) {
      await access.service.reload();
      await guard.reload();
      for (const name of remainingFiles) await writeSetupFile(paths, setup, name);
      await secrets.reload();
      await profiles.reload();
      search.reload();
      listener.checksRestored();
      const left = await listener.settingsRestored(setup.files.settings);
      await config.replaceText(setup.files.config);
      return left;
    },
  };
}

const remainingFiles = ['vault', 'profiles', 'search', 'checks'] as const satisfies readonly SetupFileName[];

function newKeys(known: readonly { readonly key: string }[], { files }: Setup): readonly string[] {
  const good = validateConfigText('mcp.json', files.config);
  const keys = new Set(known.map(({ key }) => key));
  return 'code' in good ? [] : good.servers.map(({ key }) => key).filter((key) => !keys.has(key));
}
