/**
 * Returns the nonce of this page's content security policy, for style elements made by scripts; the main
 * process fills it in.
 */
export function readNonce(page: Document): string {
  return page.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
}
