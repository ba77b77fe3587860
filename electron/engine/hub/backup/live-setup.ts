import type { HubAccess } from '../../access/hub-access.ts';
import { validateConfigText } from '../../config/store/read-config.ts';
import type { SearchService } from '../../search/service/search-service.ts';
import { type SetupFileName, writeSetupFile } from '../../store/backup/restore-journal.ts';
import type { Setup } from '../../store/backup/setup.ts';
import { replaceSetupRows } from '../../store/backup/setup-rows.ts';
import type { HubResources, HubResourcesOptions } from '../hub-resources.ts';
import type { SetupStorage } from './backups.ts';

interface LiveSetupOptions
  extends Pick<HubResourcesOptions, 'clock' | 'settings'>,
    Pick<HubResources, 'paths' | 'vault' | 'kept' | 'config' | 'newKey' | 'guard' | 'secrets' | 'profiles'> {
  readonly access: Pick<HubAccess, 'service'>;
  readonly search: Pick<SearchService, 'reload'>;
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
