import type { App } from 'electron';
import { linkScheme, maxLinkLength } from './add-link.ts';

/** Collects links from macOS; the first may arrive before anything can show it. */
export class LinkInbox {
  #waiting: string[] = [];
  #listener: ((link: string) => void) | undefined;

  /** Must be created before the app is ready. */
  constructor(app: Pick<App, 'on'>) {
    app.on('open-url', (event, link) => {
      event.preventDefault();
      this.#take(link.slice(0, maxLinkLength + 1));
    });
  }

  /** Passes on the links received so far, and each later one. */
  follow(listener: (link: string) => void): void {
    this.#listener = listener;
    for (const link of this.#waiting.splice(0)) listener(link);
  }

  #take(link: string): void {
    if (this.#listener !== undefined) this.#listener(link);
    else if (this.#waiting.length < maxWaiting) this.#waiting.push(link);
  }
}

const maxWaiting = 5;

/**
 * Makes the installed app the handler of our links. On Linux the package's desktop entry already does so, and
 * doing it again would run a slow script.
 */
export function claimLinks(app: Pick<App, 'setAsDefaultProtocolClient'>, platform: NodeJS.Platform): void {
  if (platform !== 'linux') app.setAsDefaultProtocolClient(linkScheme);
}
