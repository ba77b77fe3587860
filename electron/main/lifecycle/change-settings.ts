import type { Settings, SettingsPatch } from '../../../shared/schema/settings.ts';
import { type Engine, putSettingsInForce } from '../../engine/engine.ts';
import type { SettingsStore } from '../port/settings-store.ts';
import type { LoginItem } from './login-item.ts';

export interface SettingsTargets {
  readonly store: SettingsStore;
  readonly engine: Pick<Engine, 'setPort' | 'activity' | 'access' | 'audit' | 'limits'>;
  readonly loginItem: LoginItem;
  /** Hears of settings that are in force and saved. */
  readonly onChanged: (settings: Settings) => void;
}

/**
 * Puts settings in force and then saves them, so that what is saved always works: a taken port or a refused login
 * item changes nothing. If saving fails, what was done is undone.
 */
export async function changeSettings(targets: SettingsTargets, patch: SettingsPatch): Promise<Settings> {
  const { store, onChanged } = targets;
  const before = store.current;
  const next = store.merged(patch);
  await putInForce(targets, before, next);
  try {
    store.save(next);
  } catch (error) {
    await putInForce(targets, next, before);
    throw error;
  }
  note(targets.engine, before, next);
  onChanged(next);
  return next;
}

async function putInForce(
  { engine, loginItem }: SettingsTargets,
  from: Settings,
  to: Settings,
): Promise<void> {
  await putSettingsInForce(engine, from, to);
  if (from.startAtLogin !== to.startAtLogin) await loginItem.set(to.startAtLogin);
}

/** What concerns the hub and who may do what; the engine notes the port, and the audit log its own end. */
function note({ audit }: Pick<Engine, 'audit'>, from: Settings, to: Settings): void {
  const changed = accounted.filter((name) => from[name] !== to[name]);
  if (changed.length === 0) return;
  const text = changed.map((name) => `${name}: ${JSON.stringify(to[name])}`).join(', ');
  audit.note({ kind: 'hub', action: 'change-settings', text });
}

const accounted = [
  'newClients',
  'askDestructive',
  'recordActivity',
  'audit',
  'limits',
  'startAtLogin',
  'checkUpdates',
] as const;
