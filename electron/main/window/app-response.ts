import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { findAsset } from './app-asset.ts';
import { contentPolicy, fillNonce } from './content-policy.ts';

/** Answers a request of the window; anything outside the bundle is 404. */
export async function answerAsset(url: string, root: string): Promise<Response> {
  const asset = findAsset(url, root);
  if (asset === undefined) return notFound();
  try {
    const body = await readFile(asset.file);
    return asset.contentType.startsWith('text/html')
      ? page(body.toString('utf8'))
      : file(body, asset.contentType);
  } catch {
    return notFound();
  }
}

function page(html: string): Response {
  const nonce = randomBytes(16).toString('base64');
  return new Response(fillNonce(html, nonce), {
    headers: {
      ...commonHeaders,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentPolicy(nonce),
      'cache-control': 'no-store',
    },
  });
}

function file(body: Uint8Array<ArrayBuffer>, contentType: string): Response {
  return new Response(body, { headers: { ...commonHeaders, 'content-type': contentType } });
}

function notFound(): Response {
  return new Response('Not found', { status: 404, headers: commonHeaders });
}

const commonHeaders = {
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
} as const;
