import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isErrorObject } from '../../../../electron/engine/jsonrpc/message-kind.ts';
import { repairError } from '../../../../electron/engine/jsonrpc/repair-error.ts';

const none = 'The other side returned an error without a message';

describe('an error of any shape', () => {
  it.each([
    [
      { code: -32000, message: 'no', data: [] },
      { code: -32000, message: 'no', data: [] },
    ],
    [
      { code: '-32000', message: 'no' },
      { code: -32000, message: 'no' },
    ],
    [
      { code: ' 404.0', message: 'no', data: { a: 1 } },
      { code: 404, message: 'no', data: { a: 1 } },
    ],
    [{ message: 'no' }, { code: -32603, message: 'no' }],
    [
      { code: null, message: 'no', data: 0 },
      { code: -32603, message: 'no', data: 0 },
    ],
    ['Disk full', { code: -32603, message: 'Disk full' }],
    [-32601, { code: -32601, message: 'The other side returned an error without a message: -32601' }],
  ])('[PB-PASS-1] that is expressible in JSON-RPC gets no additions: %j', (error, mended) => {
    expect(repairError(error)).toEqual(mended);
  });

  it.each([
    [
      { code: 'ENOENT', message: 'The file is not there', data: { path: 'x' } },
      -32603,
      'The file is not there',
    ],
    [{ code: 1.5, message: 'no' }, -32603, 'no'],
    [{ code: -32000, message: null, data: 'Disk full' }, -32000, 'Disk full'],
    [{ code: -32000, message: { text: 'Disk full' } }, -32000, 'Disk full'],
    [
      { code: -32000, message: 7 },
      -32000,
      'The other side returned an error without a message: {"code":-32000,"message":7}',
    ],
    [{ code: 'ENOENT' }, -32603, 'ENOENT'],
    [{ code: -1, message: 'no', details: 'why' }, -1, 'no'],
    [{ error: 'invalid_token', error_description: 'It expired' }, -32603, 'invalid_token'],
    [[{ message: 'first' }, { message: 'second' }], -32603, 'first'],
    [true, -32603, 'The other side returned an error without a message: true'],
    [{}, -32603, none],
    [[], -32603, none],
    ['', -32603, none],
  ])('[PB-PASS-1] keeps in data as it came what has no other place: %j', (error, code, message) => {
    expect(repairError(error)).toEqual(error === '' ? { code, message } : { code, message, data: error });
  });

  it('[PB-PASS-1] becomes a JSON-RPC error without losing anything', () => {
    const members = fc.record(
      { code: fc.jsonValue(), message: fc.jsonValue(), data: fc.jsonValue(), more: fc.jsonValue() },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), members), (error) => {
        const mended = repairError(error);
        expect(isErrorObject(mended)).toBe(true);
        if (mended.data === error || typeof error === 'string' || typeof error === 'number') return;
        const { code, message, data, ...more } = error as Record<string, unknown>;
        expect(more).toEqual({});
        expect(mended).toEqual({
          code: code === undefined || code === null ? -32603 : Number(code),
          message,
          ...(data === undefined ? {} : { data }),
        });
      }),
      { numRuns: 1000 },
    );
  });
});
