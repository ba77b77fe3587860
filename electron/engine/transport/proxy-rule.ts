import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/**
 * Returns the proxy for a URL from the usual variables (`HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, `NO_PROXY`,
 * in either case), or undefined for a direct connection. This machine is always reached directly: a proxy
 * elsewhere could not reach it.
 */
export function proxyFor(url: URL, env: Readonly<Record<string, string | undefined>>): string | undefined {
  const variable = (name: string) => env[name.toLowerCase()] || env[name] || undefined;
  const own = url.protocol === 'https:' ? variable('HTTPS_PROXY') : variable('HTTP_PROXY');
  const proxy = own ?? variable('ALL_PROXY');
  if (proxy === undefined || isExempt(url, variable('NO_PROXY') ?? '')) return undefined;
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}

/** Returns true if a host name is this machine. */
export function isLoopback(hostname: string): boolean {
  const host = withoutBrackets(hostname);
  const isName = host === 'localhost' || host.endsWith('.localhost');
  return isName || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

function isExempt(url: URL, list: string): boolean {
  if (isLoopback(url.hostname)) return true;
  const host = withoutBrackets(url.hostname);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => entry === '*' || covers(entry.toLowerCase(), host, port));
}

function covers(entry: string, host: string, port: string): boolean {
  if (entry.includes('/')) return isInRange(entry, host);
  const [, name = entry, onlyPort] = /^(\[.*\]|[^:]*):(\d+)$/.exec(entry) ?? [];
  if (onlyPort !== undefined && onlyPort !== port) return false;
  const domain = withoutBrackets(name).replace(/^\*?\./, '');
  return host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`));
}

/** Matches ranges such as `10.0.0.0/8`, for hosts written as addresses. */
function isInRange(entry: string, host: string): boolean {
  const [net = '', prefix = ''] = entry.split('/');
  const bits = Number(prefix);
  const maxBits = isIPv6(net) ? 128 : 32;
  if (isIP(net) === 0 || isIP(net) !== isIP(host) || !(bits >= 0 && bits <= maxBits)) return false;
  const family = isIPv6(net) ? 'ipv6' : 'ipv4';
  const range = new BlockList();
  range.addSubnet(net, bits, family);
  return range.check(host, family);
}

function withoutBrackets(hostname: string): string {
  return hostname.toLowerCase().replace(/^\[(.*)\]$/, '$1');
}
