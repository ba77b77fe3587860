import type { ServerView } from './server.ts';

/** The name that a person gave a server, else its key. */
export function serverTitle({ key, title }: Pick<ServerView, 'key' | 'title'>): string {
  return title ?? key;
}
