/** Visits an address as a person's browser does: follows redirects, with cookies, to the end. */
export async function visit(
  start: string,
  /** May send the browser elsewhere than it was told, as an attacker would. */
  divert: (url: URL) => URL = (url) => url,
): Promise<{ readonly url: URL; readonly status: number; readonly text: string }> {
  const cookies = new Map<string, string>();
  let url = divert(new URL(start));
  for (let hop = 0; hop < 20; hop += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: cookie === '' ? {} : { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const location = response.headers.get('location');
    const text = await response.text();
    if (location === null) return { url, status: response.status, text };
    url = divert(new URL(location, url));
  }
  throw new Error('too many redirects');
}

/** For `divert`: changes the query of the browser's return to the program. */
export function onReturn(change: (params: URLSearchParams) => void): (url: URL) => URL {
  return (url) => {
    if (url.pathname === '/callback') change(url.searchParams);
    return url;
  };
}
