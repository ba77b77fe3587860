import { app } from 'electron';
import type { AppUpdate } from '../../../shared/model/app-update.ts';
import { programVersion } from '../../../shared/version.ts';
import type { QuitSequence } from '../lifecycle/quit.ts';
import type { ShellParts } from '../lifecycle/shell-parts.ts';
import { after, every } from '../port/disposable.ts';
import { AppUpdates } from './app-updates.ts';
import type { Restart } from './restart-memory.ts';
import { updateOffReason } from './update-place.ts';

export interface UpdatesContext {
  /** Set if this start follows an update. */
  readonly restart: Restart | undefined;
  readonly onChange: (update: AppUpdate) => void;
  readonly quit: Pick<QuitSequence, 'quit'>;
  /** True if the window is visible and should be shown again. */
  readonly visible: () => boolean;
}

/** Creates the app's updates, as far as its build and location allow them. */
export function createUpdates(parts: ShellParts, context: UpdatesContext): AppUpdates {
  const { logger, places, settings, windowState } = parts;
  const { restart, onChange, quit, visible } = context;
  const { resourcesPath: resources, platform, env } = process;
  const missed =
    restart === undefined || restart.wanted === programVersion
      ? undefined
      : { wanted: restart.wanted, version: programVersion };
  return new AppUpdates(
    {
      off: updateOffReason({ resources, unpackaged: places.unpackaged, platform, env }),
      load: async () => (await import('./electron-updates.ts')).electronUpdates(logger),
      now: Date.now,
      every,
      after,
      daily: () => settings.current.checkUpdates,
      onChange,
      saveForRestart: (offer) =>
        windowState.change({
          restart: offer === undefined ? null : { wanted: offer.version, hidden: !visible(), at: Date.now() },
        }),
      quit: (how, end) =>
        quit.quit(how, {
          ...end,
          run() {
            // The new version starts while this one is ending.
            app.releaseSingleInstanceLock();
            if (parts.dataDir !== undefined) process.env.PATCHBAY_DATA_DIR = parts.dataDir;
            end.run();
          },
        }),
      relaunch() {
        const { APPIMAGE: execPath = process.execPath } = env;
        app.relaunch({ execPath, args: process.argv.slice(1) });
        app.exit(0);
      },
    },
    missed,
  );
}
