import { expect, it } from 'vitest';
import { closeEffect } from '../../../../electron/main/window/close-policy.ts';

it.each([
  [{ quitting: true, closeToTray: true, trayVisible: true }, 'close'],
  [{ quitting: true, closeToTray: false, trayVisible: false }, 'close'],
  [{ quitting: false, closeToTray: true, trayVisible: true }, 'hide'],
  [{ quitting: false, closeToTray: true, trayVisible: false }, 'minimize'],
  [{ quitting: false, closeToTray: false, trayVisible: true }, 'quit'],
  [{ quitting: false, closeToTray: false, trayVisible: false }, 'quit'],
])('[PB-APP-1] closing a window that can always be found again: %o is %s', (situation, effect) => {
  expect(closeEffect(situation)).toBe(effect);
});
