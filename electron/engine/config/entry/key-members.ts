import { isRecord, scalarText } from '../../../../shared/json.ts';
import type { Path } from '../jsonc/tree.ts';
import { type Entry, namesFor } from './aliases.ts';

/** An entry whose keys and variables are where ours are, with a remark for each member that was read or is ignored. */
export interface KeysRead {
  readonly value: Entry;
  readonly remarks: readonly { readonly path: Path; readonly message: string }[];
}

/**
 * Reads what other programs write beside `headers` and `env`: names of variables, keys, and clients that were
 * registered by hand. Our own `headers` and `patchbay.oauth` take precedence.
 */
export function readKeyMembers(entry: Entry): KeysRead {
  const isReadable = [entry.headers, entry.env].every((value) => value === undefined || isRecord(value));
  if (!isReadable) return { value: entry, remarks: [] };
  const hasClient = isRecord(entry.patchbay) && entry.patchbay.oauth !== undefined;
  const keyed = readKeyHeader(readVariables(entry));
  const value = hasClient ? keyed : readOauthClient(keyed);
  const read = Object.keys(entry).filter((name) => !(name in value));
  const remarks = read.map((name) => {
    const place = !(name in keyed) ? (name === 'env_vars' ? 'env' : 'headers') : 'patchbay.oauth';
    return { path: [name], message: `this was read as part of ${place}; write it there` };
  });
  return { value, remarks: [...remarks, ...ignoredRemarks(value)] };
}

/** Returns the texts of an entry that are sent in a header although they are written elsewhere, by their members. */
export function keyTextsIn(entry: Entry): readonly (readonly [string, string])[] {
  const { value } = readKeyMembers(entry);
  return Object.entries(entry).flatMap(([name, text]) =>
    !(name in value) && isText(text) && !/(?:_env|_env_var|Env|_format|_header|_type|_id|scopes)$/.test(name)
      ? [[name, text] as const]
      : [],
  );
}

/** Says plainly which keys have no effect, since a server without its key only says that something is wrong. */
function ignoredRemarks(entry: Entry): KeysRead['remarks'] {
  const isProgram = entry.command !== undefined;
  if (isProgram === (entry.url !== undefined)) return [];
  const place = isProgram ? 'env' : 'headers';
  const message = `this has no effect here; write the key under ${place}`;
  const keys = Object.keys(entry).filter((name) => keyNames.test(name) && hasText(entry[name]));
  const other = isProgram ? 'headers' : 'env';
  const reason = isProgram ? 'a program gets no headers' : 'a remote server gets no variables';
  return [
    ...keys.map((name) => ({ path: [name], message })),
    ...(hasText(entry[other])
      ? [{ path: [other], message: `${reason}, so this has no effect; write it under ${place}` }]
      : []),
  ];
}

const keyNames =
  /^(?:auth|authorization|authentication|auth_?(?:value|token|type)|authProvider|(?:access_?|bearer_?)?token|api_?key|credentials?|password|oauth|headersHelper|bearer_?token_?env(?:_?var)?)$/i;

/** Tells whether a value has a text in it that is more than a word for nothing. */
function hasText(value: unknown): boolean {
  if (isRecord(value)) return Object.values(value).some(hasText);
  return isText(value) && !/^(?:none|oauth2?|false|true|auto)$/i.test(value);
}

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
      ? { [scalarText(keyHeader)]: scalarText(keyFormat).replace('{token}', () => `\${${keyVariable}}`) }
      : isText(key) && entry.command === undefined
        ? { [scalarText(keyHeader)]: scalarText(keyFormat).replace('{token}', () => key) }
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
  return Object.fromEntries(Object.entries(names).map(([key, name]) => [key, `\${${scalarText(name)}}`]));
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
  const isBearer = /^bearer/i.test(scalarText(given.type ?? given.kind));
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

/**
 * Reads a client registered by hand: `oauth: { clientId }` (Claude Code, opencode), `auth: { CLIENT_ID }`
 * (Cursor).
 */
export function readOauthClient(entry: Entry): Entry {
  const { oauth, auth, ...others } = entry;
  // LiteLLM stores the client among the members of the server.
  const { client_id, client_secret, scopes: asked, ...plain } = others;
  const isPlain = typeof client_id === 'string' && client_id !== '';
  const rest = isPlain ? plain : others;
  const written = isRecord(oauth)
    ? oauth
    : isRecord(auth)
      ? auth
      : isPlain
        ? { client_id, client_secret, scopes: asked }
        : {};
  const text = (...names: readonly string[]) =>
    names
      .map((name) => written[name])
      .find((value): value is string => typeof value === 'string' && value !== '');
  const clientId = text('clientId', 'client_id', 'CLIENT_ID');
  if (clientId === undefined || typeof entry.url !== 'string') return entry;
  const clientSecret = text('clientSecret', 'client_secret', 'CLIENT_SECRET');
  const listed = written.scopes ?? written.scope;
  const scopes = typeof listed === 'string' ? listed.split(/[\s,]+/) : listed;
  const port = written.callbackPort ?? written.callback_port;
  const own = isRecord(rest.patchbay) ? rest.patchbay : {};
  return {
    ...rest,
    patchbay: {
      ...own,
      oauth: {
        clientId,
        ...(clientSecret === undefined ? {} : { clientSecret }),
        ...(Array.isArray(scopes) && scopes.every((one) => typeof one === 'string' && one !== '')
          ? { scopes }
          : {}),
        ...(Number.isInteger(port) ? { callbackPort: port } : {}),
      },
    },
  };
}

function addressOf(entry: Entry): unknown {
  return namesFor('url')
    .map((name) => entry[name])
    .find(isText);
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
  const headers = Object.assign({}, ...namesFor('headers').map((name) => asRecord(entry[name])));
  const added = Object.keys(header).map((name) => name.toLowerCase());
  const isSet = Object.keys(headers).some((name) => added.includes(name.toLowerCase()));
  return isSet ? entry : { ...entry, headers: { ...headers, ...header } };
}

function bearerOf(token: string): string {
  return /^(?:bearer|basic|token)\s/i.test(token) ? token : `Bearer ${token}`;
}

/** Returns an empty entry for anything but an object. */
function asRecord(value: unknown): Entry {
  return isRecord(value) ? value : {};
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
