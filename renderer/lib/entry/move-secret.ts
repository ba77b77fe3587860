import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import type { EntryIssue } from '../../../shared/model/import/import.ts';
import { setJson } from './edit-json.ts';

export type PlainSecret = NonNullable<EntryIssue['secret']>;

/** Returns the actual secret: `$$NAME` in the config means `$NAME`. Undefined if it is no longer there. */
export function secretValue(text: string, secret: PlainSecret): string | undefined {
  const whole = textAt(text, secret);
  const part = whole?.slice(secret.from, secret.to);
  return part === undefined || part === '' ? undefined : part.replace(/\$\$(?=[A-Za-z_{])/g, '$');
}

/** Returns the text with a reference in place of the secret. */
export function withReference(text: string, secret: PlainSecret, name: string): string {
  const whole = textAt(text, secret);
  if (whole === undefined) return text;
  return put(text, secret, `${whole.slice(0, secret.from)}\${secret:${name}}${whole.slice(secret.to)}`);
}

/** Returns the text with the field's previous value; other edits stay. */
export function withFieldOf(text: string, before: string, secret: PlainSecret): string {
  const whole = textAt(before, secret);
  return whole === undefined || textAt(text, secret) === undefined ? text : put(text, secret, whole);
}

function put(text: string, { path }: PlainSecret, value: string): string {
  return setJson(text, path, value);
}

function textAt(text: string, { path }: PlainSecret): string | undefined {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const node = root && findNodeAtLocation(root, [...path]);
  return node?.type === 'string' ? String(node.value) : undefined;
}
