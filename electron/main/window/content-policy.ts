/** Placeholder in index.html for the load's nonce: `<meta name="csp-nonce" content="__CSP_NONCE__">`. */
export const noncePlaceholder = '__CSP_NONCE__';

/** Returns the page's content policy: its own files, styles with this load's nonce, and nothing remote. */
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

/** Fills in the page's nonce. */
export function fillNonce(html: string, nonce: string): string {
  return html.replaceAll(noncePlaceholder, nonce);
}
