import { expect, it } from 'vitest';
import { grantTarget } from '../../../../../electron/engine/access/rules/grant-target.ts';
import type { GrantScope } from '../../../../../shared/model/access/access.ts';
import { catalogueOf, serverOf } from '../../../../helper/catalogue.ts';

const catalogue = {
  ...catalogueOf(serverOf('fs', { tools: ['read'] }), serverOf('asleep', { protocolVersion: '' })),
  off: [serverOf('old', { tools: ['x'] })],
  silent: ['new'],
};
const tool = (serverKey: string, name: string): GrantScope => ({ kind: 'tool', serverKey, tool: name });
const server = (serverKey: string): GrantScope => ({ kind: 'server', serverKey });
const pattern = (text: string): GrantScope => ({ kind: 'pattern', pattern: text });

it.each<[GrantScope, ReturnType<typeof grantTarget>]>([
  [{ kind: 'all' }, 'there'],
  [{ kind: 'risk', risk: 'high' }, 'there'],
  [server('fs'), 'there'],
  [server('old'), 'there'],
  [server('new'), 'ahead'],
  [server('asleep'), 'ahead'],
  [server('nosuch'), 'no-server'],
  [tool('fs', 'read'), 'there'],
  [tool('old', 'x'), 'there'],
  [tool('fs', 'raed'), 'no-tool'],
  [tool('new', 'x'), 'ahead'],
  [tool('asleep', 'x'), 'ahead'],
  [tool('nosuch', 'x'), 'no-server'],
  [pattern('f?:re*'), 'there'],
  [pattern('fs:x*'), 'ahead'],
  [pattern('new:*'), 'ahead'],
  [pattern('*:nothing'), 'ahead'],
  [pattern('nosuch:*'), 'no-server'],
])('[REQ-MCP-AUTH-002] the target of a grant: %j is %s', (scope, target) => {
  expect(grantTarget(scope, catalogue)).toBe(target);
});
