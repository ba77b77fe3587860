import { toProblem } from '../../../shared/error/problem.ts';
import { parseJson } from '../../../shared/json.ts';
import { type Settings, settingsSchema } from '../../../shared/schema/settings.ts';
import { writeFileAtomic } from '../store/files/atomic-file.ts';
import { dataPaths } from '../store/files/data-dir.ts';
import { readSettings } from '../store/files/settings-file.ts';
import type { SettingsPort } from './contract.ts';

export interface RestoreSettingsOptions {
  /** Applies changed settings to the hub. */
  readonly apply: (from: Settings, to: Settings) => Promise<void>;
  readonly port: SettingsPort | undefined;
  readonly config: { readonly dataDir: string; readonly port: number };
}

/**
 * Applies and saves restored settings. Settings that this machine refuses keep their value and are reported
 * as text.
 */
export async function restoreSettings(
  options: RestoreSettingsOptions,
  text: string | undefined,
): Promise<readonly string[]> {
  const port = options.port ?? ownSettings(options);
  const current = await port.current();
  const wanted = settingsSchema.parse(text === undefined ? {} : parseJson(text));
  const { port: number, startAtLogin } = current;
  const samePort = `The port stays ${number}.`;
  const sameLogin = 'Start at login stays as it was on this computer.';
  const attempts: readonly (readonly [Settings, readonly string[]])[] = [
    [wanted, []],
    [{ ...wanted, startAtLogin }, [sameLogin]],
    [{ ...wanted, port: number }, [samePort]],
    [{ ...wanted, port: number, startAtLogin }, [samePort, sameLogin]],
  ];
  let failure: unknown;
  for (const [next, unapplied] of attempts) {
    try {
      await port.change(next);
      return unapplied;
    } catch (error) {
      failure = error;
      if (toProblem(error).code === 'hub.disk_full') break;
    }
  }
  throw failure;
}

/**
 * Without a window, writes the file and applies the settings of the engine. A port from the command line
 * stays.
 */
function ownSettings({ apply, config }: RestoreSettingsOptions) {
  const file = dataPaths(config.dataDir).settings;
  const current = async () => (await readSettings(file)).settings;
  return {
    current,
    async change(next: Settings) {
      const from = await current();
      const chosen = from.port === config.port ? from : { ...from, port: next.port };
      await apply(chosen, next);
      await writeFileAtomic(file, `${JSON.stringify(next, undefined, 2)}\n`, { mode: 0o600 });
    },
  };
}
