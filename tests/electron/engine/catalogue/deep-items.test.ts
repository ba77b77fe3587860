import { expect, test } from 'vitest';
import { emptyListing } from '../../../../electron/engine/catalogue/contract.ts';
import {
  tooDeepItem,
  validateListing,
} from '../../../../electron/engine/catalogue/listing/validate-listing.ts';
import { repairError } from '../../../../electron/engine/jsonrpc/repair-error.ts';
import { formatLogMessage } from '../../../../electron/engine/routing/server-requests/log-levels.ts';
import { isDeeperThan, printJson } from '../../../../shared/json.ts';

const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

test('[NFR-R3] nesting is measured without using the stack', () => {
  expect([isDeeperThan(nested(500), 500), isDeeperThan(nested(501), 500)]).toEqual([false, true]);
  expect(isDeeperThan(nested(200_000), 500)).toBe(true);
  expect([isDeeperThan('text', 0), isDeeperThan({}, 0), isDeeperThan({ a: [] }, 1)]).toEqual([
    false,
    true,
    true,
  ]);
  expect([printJson(nested(200_000)), printJson(undefined), printJson([1])]).toEqual([
    undefined,
    undefined,
    '[1]',
  ]);
});

test('[NFR-R3] an error that is nested too deeply keeps its words and loses its depth', () => {
  expect(repairError({ code: 'E', message: 'No', more: nested(200_000) })).toEqual({
    code: -32603,
    message: 'No',
  });
  expect(repairError(nested(200_000)).message).toContain('nested too deeply');
});

test('[NFR-R3] a log message of any depth is a line', () => {
  expect(formatLogMessage({ level: 'error', data: nested(200_000) })).toBe('[error] ');
});

test('[NFR-R3] a tool that is nested too deeply is set aside and named, and harms no other', () => {
  const { offer, setAside } = validateListing('a', {
    ...emptyListing,
    tools: [tooDeepItem, { name: 'good' }],
  });
  expect(offer.tools).toEqual([{ name: 'good' }]);
  expect(setAside.map(({ sentence }) => sentence)).toEqual([
    'The tool at position 0 of a cannot be used: it is nested too deeply.',
  ]);
});
