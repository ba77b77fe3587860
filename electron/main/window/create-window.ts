import { nativeTheme } from 'electron';
import type { Settings } from '../../../shared/schema/settings.ts';
import { type CloseEffect, closeEffect } from './close-policy.ts';
import { MainWindow, type MainWindowOptions } from './main-window.ts';
import { windowBackground } from './window-background.ts';

export interface WindowContext
  extends Pick<
    MainWindowOptions,
    'preload' | 'icon' | 'state' | 'onVisible' | 'onPageGone' | 'onShown' | 'onSessionEnd'
  > {
  readonly settings: () => Settings;
  readonly quitting: () => boolean;
  readonly trayVisible: () => boolean;
  readonly askToQuit: () => void;
  /** Tells the user where the app has gone; runs only once. */
  readonly tellAboutTray: () => void;
}

/** Creates the app's window with its rules for closing and background colour. */
export function createWindow(context: WindowContext): MainWindow {
  const window = new MainWindow({
    ...context,
    background: () => windowBackground(nativeTheme.shouldUseDarkColors),
    canBringBack: context.trayVisible,
    onClosing: () =>
      closeEffect({
        quitting: context.quitting(),
        closeToTray: context.settings().closeToTray,
        trayVisible: context.trayVisible(),
      }),
    onClosed: (effect) => afterClosing(effect, context),
  });
  nativeTheme.on('updated', () => window.setBackground(windowBackground(nativeTheme.shouldUseDarkColors)));
  return window;
}

function afterClosing(effect: CloseEffect, { askToQuit, state, tellAboutTray }: WindowContext): void {
  if (effect === 'quit') askToQuit();
  if (effect !== 'hide' || state.current.toldAboutTray) return;
  state.change({ toldAboutTray: true });
  tellAboutTray();
}
