import { describe, expect, it } from 'vitest';
import { hintText, readLimit } from '../../../../renderer/feature/settings/limits/limit-words.ts';
import { type LimitName, type LimitView, limitFields } from '../../../../shared/model/limits.ts';

const view = (name: LimitName, rest: Partial<LimitView> = {}): LimitView => ({
  ...limitFields[name],
  name,
  value: limitFields[name].default,
  source: 'default',
  ...rest,
});

describe('a limit in the settings', () => {
  it('[REQ-MCP-CONFIG] says its default and where its value is from', () => {
    expect(hintText(view('retryBaseMs'))).toBe(
      'Default 500 ms. Not set; MCP_RETRY_BASE_MS would set it too.',
    );
    expect(hintText(view('retryBaseMs', { source: 'settings', value: 9, chosen: 9 }))).toBe(
      'Default 500 ms. Set here.',
    );
    expect(hintText(view('retryBaseMs', { source: 'variable', value: 7, chosen: 9 }))).toBe(
      'Default 500 ms. Fixed by the environment: MCP_RETRY_BASE_MS is set where Patchbay was started. Take it out there and start Patchbay again to set it here. Your own 9 ms would be in force then.',
    );
  });

  it('[REQ-MCP-CONFIG] is read as a number within its bounds, or it is said why not', () => {
    const attempts = view('retryMaxAttempts');
    expect(readLimit(' 7 ', attempts)).toEqual({ ok: true, value: 7 });
    expect(readLimit('1.5', view('retryFactor'))).toEqual({ ok: true, value: 1.5 });
    for (const text of ['', '1.5', '-1', '1e3', 'many'])
      expect(readLimit(text, attempts)).toEqual({ ok: false, reason: 'Enter a whole number.' });
    expect(readLimit('1,5', view('retryFactor'))).toEqual({
      ok: false,
      reason: 'Enter a number, such as 1.5.',
    });
    for (const text of ['0', '21'])
      expect(readLimit(text, attempts)).toEqual({ ok: false, reason: 'Choose from 1 to 20 attempts.' });
  });
});
