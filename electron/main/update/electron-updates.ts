import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { type AppUpdater, autoUpdater, CancellationToken, type UpdateInfo } from 'electron-updater';
import type { UpdateOffer } from '../../../shared/model/app-update.ts';
import type { LogFile } from '../../engine/engine.ts';
import type { UpdaterPort } from './updater-port.ts';

/**
 * Updates through electron-updater, which queries the build's update address, verifies the download and
 * replaces the app.
 */
export function electronUpdates(log: LogFile, updater: AppUpdater = autoUpdater): UpdaterPort {
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.logger = libraryLog(log);
  // The library would otherwise generate and send an identifier of this machine.
  updater.requestHeaders = { 'x-user-staging-id': 'none' };
  // The library also emits each failure as an event, which would end the process without a listener.
  updater.on('error', () => {});
  return {
    async check() {
      const result = await updater.checkForUpdates();
      return result?.isUpdateAvailable === true ? offerOf(result.updateInfo) : undefined;
    },
    async download(onPercent, signal) {
      const token = new CancellationToken();
      const cancel = () => token.cancel();
      const progress = ({ percent }: { percent: number }) => onPercent(Math.floor(percent));
      signal.addEventListener('abort', cancel, { once: true });
      updater.on('download-progress', progress);
      try {
        await updater.downloadUpdate(token);
      } finally {
        updater.off('download-progress', progress);
        signal.removeEventListener('abort', cancel);
      }
    },
    obstacle,
    install() {
      let failed = false;
      const note = () => {
        failed = true;
      };
      updater.once('error', note);
      updater.quitAndInstall(true, true);
      updater.off('error', note);
      return !failed;
    },
  };
}

/** An AppImage must be writable by its user; other systems have an installer that asks for permission. */
function obstacle(): string | undefined {
  const image = process.env.APPIMAGE;
  if (process.platform !== 'linux' || image === undefined) return undefined;
  try {
    accessSync(dirname(image), constants.W_OK);
    return undefined;
  } catch {
    return `You do not have write permission for ${dirname(image)}, where Patchbay is installed.`;
  }
}

function offerOf({ version, releaseDate, releaseNotes, files }: UpdateInfo): UpdateOffer {
  const publishedAt = Date.parse(releaseDate);
  const size = files.find((file) => file.size !== undefined)?.size;
  return {
    version,
    ...(Number.isNaN(publishedAt) ? {} : { publishedAt }),
    ...(size === undefined ? {} : { size }),
    ...(typeof releaseNotes === 'string' ? { notes: releaseNotes.slice(0, maxNotesLength) } : {}),
  };
}

function libraryLog(log: LogFile) {
  const line = (level: 'debug' | 'warn') => (text?: unknown) =>
    log.log(level, 'Updater:', { text: String(text) });
  return { debug: line('debug'), info: line('debug'), warn: line('warn'), error: line('warn') };
}

const maxNotesLength = 4_000;
