/** The target of an address: a server, or a web page of some kind. */
export type AddressKind =
  | { readonly kind: 'server'; readonly isSure: boolean }
  | { readonly kind: 'page'; readonly what: string };

interface PageHost {
  readonly host: RegExp;
  readonly what: string;
}

/** Hosts whose addresses are pages, whatever their path. */
const hosts: readonly PageHost[] = [
  { host: /^(?:www\.|gist\.)?github\.com$/, what: 'a GitHub page' },
  {
    host: /^(?:www\.)?(?:gitlab\.com|bitbucket\.org|codeberg\.org|gitee\.com|sr\.ht|git\.sr\.ht)$/,
    what: 'a code repository page',
  },
  { host: /^(?:raw|gist)\.githubusercontent\.com$/, what: 'a file in a repository' },
  {
    host: /^(?:www\.)?npmjs\.(?:com|org)$|^(?:registry\.npmjs\.org|npm\.im|unpkg\.com|jsr\.io|www\.jsdelivr\.com|cdn\.jsdelivr\.net|esm\.sh)$/,
    what: 'a package page',
  },
  {
    host: /^(?:www\.|test\.)?pypi\.org$|^(?:crates\.io|docs\.rs|pkg\.go\.dev|rubygems\.org|www\.nuget\.org|nuget\.org|packagist\.org|formulae\.brew\.sh|search\.maven\.org)$/,
    what: 'a package page',
  },
  { host: /^(?:hub\.docker\.com|quay\.io|ghcr\.io)$/, what: 'a container image page' },
  {
    host: /^(?:www\.)?(?:smithery\.ai|mcp\.so|pulsemcp\.com|mcpmarket\.com|mcpservers\.org|mcphub\.com|mcp-get\.com|opentools\.com|cursor\.directory|mcpserverfinder\.com|mcp\.directory|lobehub\.com|himcp\.ai|mcp\.run|mcpserve\.com|claudemcp\.com)$/,
    what: 'a page of a server directory',
  },
  {
    host: /^registry\.modelcontextprotocol\.io$|^(?:www\.)?modelcontextprotocol\.io$|^(?:spec|blog)\.modelcontextprotocol\.io$/,
    what: 'a page about MCP',
  },
  {
    host: /^(?:marketplace\.visualstudio\.com|open-vsx\.org|chromewebstore\.google\.com|plugins\.jetbrains\.com|apps\.apple\.com)$/,
    what: 'an extension page',
  },
  {
    host: /^(?:www\.)?(?:youtube\.com|youtu\.be|medium\.com|dev\.to|reddit\.com|x\.com|twitter\.com|linkedin\.com|discord\.gg|discord\.com|stackoverflow\.com|news\.ycombinator\.com|wikipedia\.org|google\.com|t\.me|loom\.com|producthunt\.com|substack\.com|slack\.com|notion\.so)$/,
    what: 'a web page',
  },
  {
    host: /^(?:www\.)?(?:cursor\.com|code\.visualstudio\.com|claude\.com|claude\.ai|anthropic\.com|openai\.com|lmstudio\.ai|kiro\.dev|windsurf\.com|zed\.dev|cline\.bot|goose-docs\.ai|block\.github\.io)$|^(?:code|docs|platform|support|developers|help|learn)\.(?:claude\.com|anthropic\.com|openai\.com)$/,
    what: 'a product page',
  },
  { host: /^img\.shields\.io$|^(?:badge|badges)\./, what: 'a picture' },
];

/** Paths that only servers have. */
const serverPath =
  /\/(?:mcp|sse|stream|streamable|streamable-http|messages?)\/?$|\/(?:mcp|sse)\/(?!servers?\b|docs?\b|clients?\b|guides?\b|install\b|overview\b|getting-started\b|quickstart\b|introduction\b|setup\b)[\w@.~%/-]{1,500}$|\/api\/mcp\b|\/mcp-server\/mcp\b/i;
const filePath =
  /\.(?:md|mdx|html?|pdf|txt|png|svg|jpe?g|gif|ico|zip|tgz|gz|mcpb|dxt|json|ya?ml|toml|xml|php|js|ts|py|sh|ipynb)$/i;
const pagePath =
  /\/(?:docs?|documentation|blogs?|guides?|wiki|articles?|posts?|tutorials?|help|support|learn|reference|changelog|pricing|about|download|integrations|tree|blob|issues|pull|releases|readme|manual|packages?|project|llms?\.txt|how-to|examples?|news|community|faq|quickstart|getting-started|developers?|settings|dashboard|login|signup)(?:\/|$)/i;
const pageHost =
  /^(?:www|docs?|developers?|help|support|learn|blog|wiki|guides?|community|status|forum|discuss|about|careers|news)\./i;

/** A last path segment that names the server alone; in longer ones the word is part of a title. */
const ownName = /\/mcp[-_]?(?:servers?|https?|sse|stream|v?\d{1,4})\/?$/i;
/** Product pages may end like addresses of servers. */
const salesPath =
  /^\/(?:products?|features?|solutions?|use-cases?|topics?|tags?|categor(?:y|ies)|content)\//i;
/** Companies whose servers have a host of their own, such as `mcp.sentry.dev`. */
const companies =
  /^(?:www\.)?(?:zapier\.com|workos\.com|sentry\.io|apify\.com|composio\.dev|deepwiki\.com|linear\.app|notion\.com|stripe\.com|cloudflare\.com|vercel\.com|supabase\.com|neon\.(?:com|tech)|figma\.com|asana\.com|atlassian\.com|paypal\.com|intercom\.com|hubspot\.com|netlify\.com|webflow\.com|monday\.com|canva\.com|wix\.com|prisma\.io)$/;

/** Returns the address of the bundle that an address leads to, or that an install link names. */
export function bundleOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { searchParams } = new URL(address);
  return [address, ...searchParams.values()].find((one) => /^[^?#]+\.(?:mcpb|dxt)(?:[?#]|$)/i.test(one));
}

/** Returns whether all addresses of a host are pages. */
export function isPageHost(address: string): boolean {
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return false;
  const { hostname } = new URL(address);
  return addressKind(address).kind === 'page' && hosts.some(({ host }) => host.test(hostname));
}

/**
 * Tells a server's address from a web page's. A repository or documentation page is for people, not for
 * clients.
 */
export function addressKind(address: string): AddressKind {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined) return { kind: 'page', what: 'an unreadable address' };
  if (/[*]/.test(address.split('?', 1)[0] ?? '')) return { kind: 'page', what: 'an address pattern' };
  const { hostname: host, pathname: path } = url;
  const known = hosts.find((one) => one.host.test(host));
  const isApi =
    /^\/(?:api\/v\d+\/)?mcp\/?$/.test(path) &&
    !/^(?:www\.)?github\.com$|npmjs|pypi|^(?:www\.)?(?:mcp\.so|smithery\.ai)$/.test(host);
  if (known !== undefined && !(isApi && /gitlab|huggingface|cursor/.test(host)))
    return { kind: 'page', what: known.what };
  if (/^(?:www\.)?(?:glama\.ai|huggingface\.co)$/.test(host)) {
    const isServer = host.endsWith('huggingface.co') ? isApi : /\/(?:endpoints|instances)\//.test(path);
    return isServer ? { kind: 'server', isSure: true } : { kind: 'page', what: 'a web page' };
  }
  if (filePath.test(path)) return { kind: 'page', what: 'a file' };
  const isLocal =
    /^(?:localhost|127\.|0\.0\.0\.0|\[::1?\]|10\.|192\.168\.|host\.docker\.internal)/.test(host) ||
    /\.(?:local|internal|lan)$/.test(host) ||
    !host.includes('.');
  if (isLocal)
    return /\/docs\/?$/.test(path) ? { kind: 'page', what: 'a web page' } : { kind: 'server', isSure: true };
  // Only pages have fragments.
  if (url.hash.length > 1) return { kind: 'page', what: 'a web page' };
  const isDocumented =
    pageHost.test(host) ||
    /^[\w-]+\.readthedocs\.|\.github\.io$|\.gitbook\.io$|\.notion\.site$|\.mintlify\.app$/.test(host);
  if (
    serverPath.test(path) &&
    !pagePath.test(path) &&
    !(
      isDocumented &&
      path.split('/').length > 2 &&
      !/^docs?\.mcp\./.test(host) &&
      !/\/(?:mcp|sse)\/(?:mcp|sse)$/.test(path)
    )
  ) {
    return { kind: 'server', isSure: !salesPath.test(path) && !companies.test(host) };
  }
  if (pagePath.test(path) || isDocumented) return { kind: 'page', what: 'a web page' };
  if (/(?:^|[.-])mcp[\d.-]|^mcp[\w-]{0,60}\.[\w-]{1,60}\./.test(host) || ownName.test(path))
    return { kind: 'server', isSure: true };
  if (/^\/?$/.test(path)) {
    return host.split('.').length <= 2
      ? { kind: 'page', what: 'a web page' }
      : { kind: 'server', isSure: false };
  }
  return { kind: 'server', isSure: /^api[.-]|\/api\/|\/v\d/.test(host + path) };
}
