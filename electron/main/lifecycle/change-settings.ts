import type { Settings, SettingsPatch } from '../../../shared/schema/settings.ts';
import type { Limits } from '../../engine/engine.ts';
import type { SettingsStore } from '../port/settings-store.ts';
import type { HubLifecycle } from './hub-run.ts';
import type { LoginItem } from './login-item.ts';

export interface SettingsTargets {
  readonly store: SettingsStore;
  readonly hub: Pick<HubLifecycle, 'running' | 'settled'>;
  readonly limits: Pick<Limits, 'choose'>;
  readonly loginItem: LoginItem;
  /** Called with settings that are applied and saved. */
  readonly onChanged: (settings: Settings) => void;
}

/**
 * Applies settings and then saves them, so that saved settings always work: a port in use or a rejected login
 * item changes nothing. If saving fails, the applied settings are reverted.
 */
export async function changeSettings(targets: SettingsTargets, patch: SettingsPatch): Promise<Settings> {
  const { store, hub, onChanged } = targets;
  // A hub that is starting has read the settings already.
  if (ofHub.some((name) => patch[name] !== undefined)) await hub.settled();
  const before = store.current;
  const next = store.merged(patch);
  await applySettings(targets, before, next);
  try {
    store.save(next);
  } catch (error) {
    await applySettings(targets, next, before);
    throw error;
  }
  recordChange(hub, before, next);
  onChanged(next);
  return next;
}

async function applySettings(
  { hub: { running }, limits, loginItem }: SettingsTargets,
  from: Settings,
  to: Settings,
): Promise<void> {
  // A hub that does not run is started with the settings that are saved, and with these limits.
  if (running !== undefined) await running.applySettings(from, to);
  else if (from.limits !== to.limits) limits.choose(to.limits);
  if (from.startAtLogin !== to.startAtLogin) await loginItem.set(to.startAtLogin);
}

/** Notes settings that concern the hub; it notes its port and the end of the audit log itself. */
function recordChange({ running }: Pick<HubLifecycle, 'running'>, from: Settings, to: Settings): void {
  const changed = auditedSettings.filter((name) => from[name] !== to[name]);
  if (changed.length === 0) return;
  const text = changed.map((name) => `${name}: ${JSON.stringify(to[name])}`).join(', ');
  running?.note({ kind: 'hub', action: 'change-settings', text });
}

/** Settings that a hub reads when it starts; a running one applies them. */
const ofHub = ['port', 'newClients', 'askDestructive', 'recordActivity', 'audit', 'limits'] as const;

const auditedSettings = [
  'newClients',
  'askDestructive',
  'recordActivity',
  'audit',
  'limits',
  'startAtLogin',
  'checkUpdates',
] as const;
