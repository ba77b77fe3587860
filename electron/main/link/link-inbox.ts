import type { App } from 'electron';
import { linkScheme, longestLink } from './add-link.ts';

/** Links that macOS hands to the app; the first comes before anybody can show it. */
export class LinkInbox {
  #waiting: string[] = [];
  #listener: ((link: string) => void) | undefined;

  /** To be made before the app is ready. */
  constructor(app: Pick<App, 'on'>) {
    app.on('open-url', (event, link) => {
      event.preventDefault();
      this.#take(link.slice(0, longestLink + 1));
    });
  }

  /** Those that have come so far, and each further one. */
  follow(listener: (link: string) => void): void {
    this.#listener = listener;
    for (const link of this.#waiting.splice(0)) listener(link);
  }

  #take(link: string): void {
    if (this.#listener !== undefined) this.#listener(link);
    else if (this.#waiting.length < mostWaiting) this.#waiting.push(link);
  }
}

const mostWaiting = 5;

/**
 * Makes the installed app the one that opens our links. On Linux the desktop entry of the package has said so already,
 * and to say it again would run a slow script.
 */
export function claimLinks(app: Pick<App, 'setAsDefaultProtocolClient'>, platform: NodeJS.Platform): void {
  if (platform !== 'linux') app.setAsDefaultProtocolClient(linkScheme);
}
