import { isRecord } from '../../../../shared/json.ts';
import type { MemberEdit } from '../../jsonrpc/json/edit-json.ts';
import type { RawMessage } from '../../jsonrpc/raw-message.ts';
import { jsonBytes, stampMeta } from './edit-message.ts';
import { hopKeys } from './protocol.ts';
import { isDeclared } from './question-capability.ts';
import { tasksExtension } from './task-shapes.ts';

type Capabilities = Readonly<Record<string, unknown>>;

/** Names the capabilities of a client with a session in its request, for a stateless server. */
export function withSessionCapabilities(request: RawMessage, capabilities: Capabilities): RawMessage {
  const known = stamps.get(capabilities);
  const stamp = known ?? [{ name: hopKeys.session, value: jsonBytes(statelessCapabilities(capabilities)) }];
  if (known === undefined) stamps.set(capabilities, stamp);
  return stampMeta(request, stamp);
}

/** By the capabilities of a session, which has many requests. */
const stamps = new WeakMap<Capabilities, readonly MemberEdit[]>();

/** Leaves out what no stateless client has, and tasks, which the hub declares for the calls that ask for one. */
function statelessCapabilities({ extensions, ...declared }: Capabilities): Capabilities {
  const kept = lasting.filter((name) => isDeclared(declared[name]));
  const others = Object.entries(isRecord(extensions) ? extensions : {}).filter(
    ([name]) => name !== tasksExtension,
  );
  return {
    ...Object.fromEntries(kept.map((name) => [name, withoutListChanged(declared[name])])),
    ...(others.length === 0 ? {} : { extensions: Object.fromEntries(others) }),
  };
}

/** Some clients declare `true` instead of an object. */
function withoutListChanged(capability: unknown): Capabilities {
  const { listChanged, ...others } = isRecord(capability) ? capability : {};
  return others;
}

const lasting = ['sampling', 'elicitation', 'roots', 'experimental'] as const;
