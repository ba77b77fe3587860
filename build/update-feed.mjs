/**
 * Where the app that is packed asks for newer versions: `PATCHBAY_UPDATE_URL`, a folder on a web server that holds what
 * `npm run pack -- --release` makes. No address is part of the source; without one the app has no updates, and says so.
 */

/** The publish configuration of electron-builder, which writes the address into the package; null without one. */
export function updateFeed({ PATCHBAY_UPDATE_URL: address }) {
  if (address === undefined || address === '') return null;
  if (!URL.canParse(address)) throw new Error(`PATCHBAY_UPDATE_URL is no address: ${address}`);
  const { protocol, hostname } = new URL(address);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && loopback.includes(hostname));
  if (!isSafe)
    throw new Error('PATCHBAY_UPDATE_URL has to begin with https://, or nobody could trust the updates.');
  return [{ provider: 'generic', url: address }];
}

const loopback = ['127.0.0.1', 'localhost', '[::1]'];
