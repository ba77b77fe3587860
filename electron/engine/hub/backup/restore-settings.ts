import { toProblem } from '../../../../shared/error/problem.ts';
import { parseJson } from '../../../../shared/json.ts';
import { type Settings, settingsSchema } from '../../../../shared/schema/settings.ts';
import { writeFileAtomic } from '../../store/atomic-file.ts';
import { dataPaths } from '../../store/data-dir.ts';
import { readSettings } from '../../store/settings-file.ts';
import type { Engine, EngineConfig } from '../contract.ts';
import type { SettingsPort } from './contract.ts';

type SettingsTarget = Pick<Engine, 'setPort' | 'activity' | 'access' | 'audit' | 'limits'>;

interface RestoreSettingsOptions {
  readonly engine: SettingsTarget;
  readonly port: SettingsPort | undefined;
  readonly config: Pick<EngineConfig, 'dataDir' | 'port'>;
}

/** Applies changed settings to the engine. */
export async function putSettingsInForce(
  engine: SettingsTarget,
  from: Settings,
  to: Settings,
): Promise<void> {
  if (from.port !== to.port) await engine.setPort(to.port);
  if (from.newClients !== to.newClients) engine.access.setNewClients(to.newClients);
  if (from.askDestructive !== to.askDestructive) engine.access.setAskDestructive(to.askDestructive);
  if (from.recordActivity !== to.recordActivity) engine.activity.record(to.recordActivity);
  if (from.audit !== to.audit) engine.audit.record(to.audit);
  if (from.limits !== to.limits) engine.limits.choose(to.limits);
}

/**
 * Applies and saves restored settings; settings that fail on this machine keep their current value and are
 * reported as messages.
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
  for (const [next, left] of attempts) {
    try {
      await port.change(next);
      return left;
    } catch (error) {
      failure = error;
      if (toProblem(error).code === 'hub.disk_full') break;
    }
  }
  throw failure;
}

/**
 * Used without a window: reads and writes the file, and applies the engine's settings. A port from the
 * command line stays.
 */
function ownSettings({ engine, config }: RestoreSettingsOptions) {
  const file = dataPaths(config.dataDir).settings;
  const current = async () => (await readSettings(file)).settings;
  return {
    current,
    async change(next: Settings) {
      const from = await current();
      const chosen = from.port === config.port ? from : { ...from, port: next.port };
      await putSettingsInForce(engine, chosen, next);
      await writeFileAtomic(file, `${JSON.stringify(next, undefined, 2)}\n`, { mode: 0o600 });
    },
  };
}
