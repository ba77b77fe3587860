/** One empty window, which tests fill from outside. */
import { app, BrowserWindow } from 'electron';

// Not awaited here: nothing is ready before this module has been run.
void app.whenReady().then(() => {
  const window = new BrowserWindow({
    width: 1440,
    height: 900,
    webPreferences: { backgroundThrottling: false },
  });
  return window.loadURL('about:blank');
});
