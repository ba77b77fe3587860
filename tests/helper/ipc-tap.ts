import type { DrivenApp } from './driven-app.ts';

/** Hears everything that the main process sends to the window, answers and events, from now on. */
export interface IpcTap {
  /** One message a line, as JSON. */
  heard(): Promise<string>;
}

/** Electron keeps the handlers of `ipcMain.handle` in a map of its own; there is no public way to hear their answers. */
export async function tapIpc(app: DrivenApp): Promise<IpcTap> {
  await app.evaluate(({ ipcMain, BrowserWindow }) => {
    const heard: string[] = [];
    Object.assign(globalThis, { heardByWindow: heard });
    type Handler = (...args: readonly unknown[]) => unknown;
    const { _invokeHandlers: handlers } = ipcMain as unknown as { _invokeHandlers: Map<string, Handler> };
    for (const [channel, handler] of handlers)
      handlers.set(channel, async (...args) => {
        const answer = await handler(...args);
        heard.push(JSON.stringify([args[1], answer]));
        return answer;
      });
    for (const { webContents } of BrowserWindow.getAllWindows()) {
      const send = webContents.send.bind(webContents);
      webContents.send = (channel, ...args) => {
        heard.push(JSON.stringify(args));
        send(channel, ...args);
      };
    }
  });
  return {
    heard: () =>
      app.evaluate(() => (globalThis as unknown as { heardByWindow: string[] }).heardByWindow.join('\n')),
  };
}
