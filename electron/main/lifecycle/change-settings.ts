import type { Settings, SettingsPatch } from '../../../shared/schema/settings.ts';
import { type Engine, putSettingsInForce } from '../../engine/engine.ts';
import type { SettingsStore } from '../port/settings-store.ts';
import type { LoginItem } from './login-item.ts';

export interface SettingsTargets {
  readonly store: SettingsStore;
  readonly engine: Pick<Engine, 'setPort' | 'activity' | 'access' | 'audit' | 'limits'>;
  readonly loginItem: LoginItem;
  /** Called with settings that are applied and saved. */
  readonly onChanged: (settings: Settings) => void;
}

/**
 * Applies settings and then saves them, so that saved settings always work: a port in use or a rejected login
 * item changes nothing. If saving fails, the applied settings are reverted.
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

/**
 * Records settings of the hub and of access control; the engine records the port, and the audit log its own
 * end.
 */
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
