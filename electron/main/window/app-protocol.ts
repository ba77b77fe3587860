import { type Protocol, protocol } from 'electron';
import { answerAsset } from './app-response.ts';
import { appScheme } from './link-policy.ts';

/** Must run before the app is ready. */
export function registerAppScheme(): void {
  const privileges = { standard: true, secure: true, codeCache: true } as const;
  protocol.registerSchemesAsPrivileged([{ scheme: appScheme, privileges }]);
}

/** Serves the files under `root` to the window, each page with its own policy and nonce. */
export function serveApp(target: Pick<Protocol, 'handle'>, root: string): void {
  target.handle(appScheme, (request) => answerAsset(request.url, root));
}
