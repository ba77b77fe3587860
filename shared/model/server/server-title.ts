import type { ServerView } from './server.ts';

/** Returns the display name, else the key. */
export function serverTitle({ key, title }: Pick<ServerView, 'key' | 'title'>): string {
  return title ?? key;
}

/** Returns display names by key; a name that several servers share is followed by the key. */
export function serverTitles(
  servers: readonly Pick<ServerView, 'key' | 'title'>[],
): Readonly<Record<string, string>> {
  const counts = new Map<string, number>();
  for (const server of servers) {
    const title = serverTitle(server);
    counts.set(title, (counts.get(title) ?? 0) + 1);
  }
  return Object.fromEntries(
    servers.map((server) => {
      const title = serverTitle(server);
      const isShared = title !== server.key && (counts.get(title) ?? 0) > 1;
      return [server.key, isShared ? `${title} (${server.key})` : title];
    }),
  );
}
