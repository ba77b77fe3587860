import { describe, expect, it } from 'vitest';
import {
  hintText,
  readLimit,
  settingValue,
  shownLimit,
} from '../../../../renderer/feature/settings/limits/limit-words.ts';
import { type LimitName, type LimitView, limitFields } from '../../../../shared/model/limits.ts';

const view = (name: LimitName, rest: Partial<LimitView> = {}): LimitView => ({
  ...limitFields[name],
  name,
  value: limitFields[name].default,
  source: 'default',
  ...rest,
});

describe('a limit in the settings', () => {
  it('[REQ-MCP-CONFIG] shows its default in seconds, and names a variable only if that sets it', () => {
    expect(hintText(shownLimit(view('retryBaseMs')))).toBe('Default: 0.5 s.');
    expect(hintText(shownLimit(view('retryBaseMs', { source: 'settings', value: 9, chosen: 9 })))).toBe(
      'Default: 0.5 s.',
    );
    expect(hintText(shownLimit(view('retryBaseMs', { source: 'variable', value: 7, chosen: 9 })))).toBe(
      'Default: 0.5 s. Set by the environment variable MCP_RETRY_BASE_MS. Remove it and restart Patchbay to change this here. Your setting, 0.009 s, applies without it.',
    );
    expect(shownLimit(view('invocationTimeoutMs'))).toMatchObject({ value: 30, unit: 's', min: 0.001 });
    expect(settingValue(view('invocationTimeoutMs'), 1.5)).toBe(1_500);
    expect(settingValue(view('retryMaxAttempts'), 4)).toBe(4);
  });

  it('[REQ-MCP-CONFIG] is parsed as a number within its bounds, or rejected with a reason', () => {
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
