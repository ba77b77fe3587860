import { extname, join, sep } from 'node:path';
import { isAppUrl } from './link-policy.ts';

/** A file of the window's bundle. */
export interface AppAsset {
  readonly file: string;
  readonly contentType: string;
}

/** Returns the file for a URL, or undefined if it is outside `root` or not of a kind the window uses. */
export function findAsset(url: string, root: string): AppAsset | undefined {
  if (!isAppUrl(url)) return undefined;
  const path = decodePath(new URL(url).pathname);
  if (path === undefined || path.includes('\0') || path.includes('\\')) return undefined;
  const file = join(root, path === '/' ? 'index.html' : path);
  const contentType = contentTypes[extname(file).toLowerCase()];
  if (contentType === undefined || !file.startsWith(root.endsWith(sep) ? root : root + sep)) return undefined;
  return { file, contentType };
}

function decodePath(pathname: string): string | undefined {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
}

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};
