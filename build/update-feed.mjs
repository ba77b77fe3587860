/**
 * Update address of a packaged app: `PATCHBAY_UPDATE_URL`, a folder on a web server with the output of `npm
 * run pack -- --release`. No address is part of the source; without one the app has no updates and says so.
 */

/**
 * Returns the publish configuration of electron-builder, which writes the address into the package; null
 * without one.
 */
export function updateFeed({ PATCHBAY_UPDATE_URL: address }) {
  if (address === undefined || address === '') return null;
  if (!URL.canParse(address)) throw new Error(`PATCHBAY_UPDATE_URL is not a valid URL: ${address}`);
  const { protocol, hostname } = new URL(address);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && loopback.includes(hostname));
  if (!isSafe)
    throw new Error('PATCHBAY_UPDATE_URL must begin with https://, so that updates can be trusted.');
  return [{ provider: 'generic', url: address }];
}

const loopback = ['127.0.0.1', 'localhost', '[::1]'];
