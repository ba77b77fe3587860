/** Writes a path as a made-up Linux machine does; Windows takes such paths too. */
export const withSlashes = (path: string): string =>
  process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
