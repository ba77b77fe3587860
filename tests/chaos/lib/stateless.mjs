/** Adds what a client without sessions (MCP 2026-07-28) puts into its messages. */
const prefix = 'io.modelcontextprotocol/';
export const modernVersion = '2026-07-28';
export const acknowledged = 'notifications/subscriptions/acknowledged';

/** Params with the envelope that each request carries; `level` is that of log messages. */
export function enveloped(params = {}, { name, capabilities, level }) {
  const envelope = {
    [`${prefix}protocolVersion`]: modernVersion,
    [`${prefix}clientCapabilities`]: capabilities,
    [`${prefix}clientInfo`]: { name, version: '1.0.0' },
    ...(level === undefined ? {} : { [`${prefix}logLevel`]: level }),
  };
  return { ...params, _meta: { ...params._meta, ...envelope } };
}

/** The listen that a notification names, by its id. */
export const listenOf = ({ params }) => params?._meta?.[`${prefix}subscriptionId`];

/** Headers that repeat parts of a request. */
export function headersOf({ method, params }) {
  const name = params?.name ?? params?.uri;
  return {
    'mcp-protocol-version': modernVersion,
    'mcp-method': method,
    ...(name === undefined ? {} : { 'mcp-name': name }),
  };
}

/** The same action as a client without sessions does it. */
export function statelessForm(action) {
  if (action.method === 'ping') return { ...action, method: 'server/discover' };
  if (action.method !== 'resources/subscribe') return action;
  const { uri } = action.params();
  return listenFor({ resourceSubscriptions: [uri] }, { kind: action.kind, uri });
}

export function listenFor(notifications, more) {
  return {
    method: 'subscriptions/listen',
    kind: 'listen',
    isListen: true,
    params: () => ({ notifications }),
    ...more,
  };
}
