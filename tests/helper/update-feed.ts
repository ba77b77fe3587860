import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A release that an update server announces and serves. */
export interface Published {
  readonly version: string;
  readonly file: string;
  /** The digest that is announced is that of this, where it is not of the file. */
  readonly announcedAs?: string;
}

export interface UpdateFeed extends AsyncDisposable {
  readonly url: string;
  publish(published: Published): void;
  /** Paths that were asked for, without their queries. */
  readonly asked: readonly string[];
}

/** Plays the server of updates on loopback, in the form that electron-builder publishes. */
export async function startUpdateFeed(): Promise<UpdateFeed> {
  let current: Published | undefined;
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://feed').pathname;
    asked.push(path);
    const body = current === undefined ? undefined : bodyOf(path, current);
    response.writeHead(body === undefined ? 404 : 200).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    asked,
    publish(published) {
      current = published;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function bodyOf(path: string, { version, file, announcedAs = file }: Published): string | undefined {
  const name = `Patchbay-${version}.AppImage`;
  if (path === `/${name}`) return file;
  if (path !== '/latest-linux.yml') return undefined;
  const sha512 = createHash('sha512').update(announcedAs).digest('base64');
  const files = [{ url: name, sha512, size: Buffer.byteLength(file) }];
  // JSON is YAML.
  return JSON.stringify({ version, files, path: name, sha512, releaseDate: '2026-01-02T03:04:05.000Z' });
}
