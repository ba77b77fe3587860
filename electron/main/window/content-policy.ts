/** Stands in index.html where the nonce of the load is to be put: `<meta name="csp-nonce" content="__CSP_NONCE__">`. */
export const noncePlaceholder = '__CSP_NONCE__';

/** What a page of the window may load: its own files, styles that carry this load's nonce, and nothing remote. */
export function contentPolicy(nonce: string): string {
  return [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data:`,
    `media-src data:`,
    `font-src 'self'`,
    `connect-src 'none'`,
    `worker-src 'self'`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
    `object-src 'none'`,
  ].join('; ');
}

/** The page with the nonce filled in. */
export function fillNonce(html: string, nonce: string): string {
  return html.replaceAll(noncePlaceholder, nonce);
}
