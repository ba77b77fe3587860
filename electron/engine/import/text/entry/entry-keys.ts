import { isRecord } from '../../../../../shared/json.ts';
import { aliases } from '../../../config/entry/aliases.ts';
import { asRecord, type Entry } from './dialects.ts';
import { type Step, warning } from './entry-step.ts';
import { targetMembers } from './server-like.ts';

/**
 * Reads variables listed by name, and headers from variables (Codex, Mistral Vibe) or from a key (OpenHands).
 */
export function readVariables(entry: Entry): Entry {
  const {
    bearer_token_env_var: bearer,
    bearerTokenEnv = bearer,
    bearer_token: token,
    bearerToken = token,
    api_key_env: keyVariable,
    api_key: key,
    api_key_header: keyHeader = 'Authorization',
    api_key_format: keyFormat = 'Bearer {token}',
    http_headers: headers,
    static_headers: fixed,
    env_http_headers: envHeaders,
    env_vars: variables,
    ...rest
  } = entry;
  const merged = {
    ...asRecord(rest.headers),
    ...asRecord(headers),
    ...asRecord(fixed),
    ...references(asRecord(envHeaders)),
    ...(isText(bearerTokenEnv) ? { Authorization: `Bearer \${${bearerTokenEnv}}` } : {}),
    ...(isText(bearerToken) ? { Authorization: bearerOf(bearerToken) } : {}),
    ...(isText(keyVariable)
      ? { [String(keyHeader)]: String(keyFormat).replace('{token}', () => `\${${keyVariable}}`) }
      : isText(key) && entry.command === undefined
        ? { [String(keyHeader)]: String(keyFormat).replace('{token}', () => key) }
        : {}),
  };
  const set = isRecord(variables) ? variables : {};
  const names = (Array.isArray(variables) ? variables : []).flatMap((item: unknown) => {
    const name = isRecord(item) ? item.name : item;
    return isText(name) ? [name] : [];
  });
  const named = { ...references(Object.fromEntries(names.map((name) => [name, name]))), ...set };
  return {
    ...rest,
    ...(Object.keys(merged).length === 0 ? {} : { headers: merged }),
    ...(Object.keys(named).length === 0 ? {} : { env: { ...named, ...asRecord(rest.env) } }),
  };
}

/** Turns names of variables into references. */
function references(names: Entry): Entry {
  return Object.fromEntries(Object.entries(names).map(([key, name]) => [key, `\${${String(name)}}`]));
}

/**
 * Reads a key that is sent as a header: `auth_type` with `auth_value` (LiteLLM) or `key` (Open WebUI), `auth`
 * as a text (FastMCP) or `{ type: "bearer", token }`, `authorization`, and `apiKey` or `token` of an address.
 */
export function readKeyHeader(entry: Entry): Entry {
  const { auth_type: kind, auth_value: value, ...rest } = entry;
  if (isText(kind)) {
    const { key, authentication_token: token = value ?? key, ...own } = rest;
    const header = keyHeader(kind, token);
    return header === undefined
      ? { ...own, ...(isText(token) ? { auth_value: token } : {}) }
      : withHeader(own, header);
  }
  if (entry.command !== undefined) return entry;
  // Letta stores the name of the header beside its value.
  const { auth_token: sent, auth_header: header = 'Authorization', ...plain } = entry;
  if (isText(sent) && isText(header) && isText(addressOf(entry)))
    return withHeader(plain, { [header]: header === 'Authorization' ? bearerOf(sent) : sent });
  const { auth, authorization, apiKey, token, ...own } = entry;
  const given = isRecord(auth) ? auth : {};
  const isBearer = /^bearer/i.test(String(given.type ?? given.kind ?? ''));
  const found =
    isText(auth) && !/^(?:oauth\w*|none|bearer|basic|api[-_]?key)$/i.test(auth)
      ? auth
      : isBearer && isText(given.token)
        ? given.token
        : [authorization, apiKey, token].find(isText);
  if (found === undefined || !isText(addressOf(entry))) return entry;
  const kept = Object.entries({ auth, authorization, apiKey, token }).filter(
    ([name, one]) => one !== undefined && !(isText(one) && one === found) && !(name === 'auth' && isBearer),
  );
  return withHeader({ ...own, ...Object.fromEntries(kept) }, { Authorization: bearerOf(found) });
}

function addressOf(entry: Entry): unknown {
  return [...targetMembers].map((name) => (name === 'cmd' ? undefined : entry[name])).find(isText);
}

/** Returns undefined if nothing is sent, or the way is unknown. */
function keyHeader(kind: string, token: unknown): Entry | undefined {
  if (!isText(token)) return undefined;
  switch (kind.toLowerCase().replace(/[-_ ]/g, '')) {
    case 'bearer':
    case 'bearertoken':
      return { Authorization: bearerOf(token) };
    case 'apikey':
      return { 'X-API-Key': token };
    case 'basic':
      return { Authorization: `Basic ${token.replace(/^basic\s+/i, '')}` };
    case 'authorization':
      return { Authorization: token };
    default:
      return undefined;
  }
}

/** An explicit header takes precedence. */
function withHeader(entry: Entry, header: Entry): Entry {
  const others = Object.keys(aliases).filter((name) => aliases[name] === 'headers');
  const headers = Object.assign({}, ...[...others, 'headers'].map((name) => asRecord(entry[name])));
  const isSet = Object.keys(headers).some((name) => Object.hasOwn(header, name));
  return isSet ? entry : { ...entry, headers: { ...headers, ...header } };
}

function bearerOf(token: string): string {
  return /^(?:bearer|basic|token)\s/i.test(token) ? token : `Bearer ${token}`;
}

/** Warns about a program that creates the headers for each call. */
export function warnAboutHelper(entry: Entry): ReturnType<Step> {
  const { headersHelper, ...rest } = entry;
  if (headersHelper === undefined) return { entry };
  const message = 'headersHelper is not run here; add the headers that it returns';
  return { entry: rest, notes: [warning('headers', message)] };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
