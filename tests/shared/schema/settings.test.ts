import { describe, expect, it } from 'vitest';
import { settingsPatchSchema, settingsSchema } from '../../../shared/schema/settings.ts';

describe('a change of settings', () => {
  it.each([{}, { theme: 'dark' }, { port: 8000, closeToTray: false }])(
    '[PB-IPC-1] %j means what it names and nothing else',
    (patch) => {
      expect(settingsPatchSchema.parse(patch)).toEqual(patch);
    },
  );

  it('[PB-IPC-1] cannot change the version', () => {
    expect(settingsPatchSchema.parse({ version: 2 })).toEqual({});
  });
});

it('[PB-APP-1] settings have a default for everything', () => {
  expect(settingsSchema.parse({})).toEqual({
    version: 1,
    startAtLogin: false,
    closeToTray: true,
    theme: 'system',
    limits: {},
    audit: true,
    port: 7420,
    recordActivity: true,
    checkUpdates: true,
    notifyServers: true,
    notifySignIn: true,
    notifyTools: true,
    notifyClients: true,
    newClients: 'everything',
    askDestructive: false,
    firstStepsDone: false,
  });
});
