import type { App, Session, WebContents } from 'electron';
import { externalLink, isAppUrl } from './link-policy.ts';

/** Locks down every page of the app: no navigation, no windows, no embedded pages. */
export function guardContents(app: App, openLink: (url: string) => void): void {
  app.on('web-contents-created', (_event, contents) => guard(contents, openLink));
}

/** Denies every permission and every network request. */
export function guardSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.webRequest.onBeforeRequest({ urls: remoteUrls }, (_details, answer) => answer({ cancel: true }));
}

function guard(contents: WebContents, openLink: (url: string) => void): void {
  contents.on('will-navigate', (details) => {
    if (!isAppUrl(details.url)) details.preventDefault();
  });
  contents.on('will-frame-navigate', (details) => {
    if (!details.isMainFrame || !isAppUrl(details.url)) details.preventDefault();
  });
  contents.on('will-redirect', (details) => details.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    const link = externalLink(url);
    if (link !== undefined) openLink(link);
    return { action: 'deny' };
  });
}

const remoteUrls = ['http://*/*', 'https://*/*', 'ws://*/*', 'wss://*/*', 'ftp://*/*', 'file://*/*'];
