import { describe, expect, it } from 'vitest';
import {
  changeEntry,
  choicesOfFailed,
  entryKeyError,
  firstChoices,
  importChoices,
  isReady,
  waitingText,
  wantedInputs,
} from '../../../../renderer/feature/servers/import/import-choices.ts';
import { samplePreview } from '../../harness/sample-import.ts';

const none = new Set<string>();
const first = firstChoices(samplePreview);
const filled = { ...first, inputs: { workspaceFolder: '/w', 'input:jira': 'hush' } };

describe('the choices of an import', () => {
  it('[PB-CLIENT-2] start with the suggested servers and all secrets stored', () => {
    expect(first.entries.map(({ chosen }) => chosen)).toEqual([true, true, true, false, false]);
    expect(first.entries[0]?.secrets).toEqual({ 'env.AIRTABLE_TOKEN:0': 'AIRTABLE_TOKEN' });
  });

  it('[PB-CLIENT-2] ask only for inputs of the chosen servers, which may stay empty', () => {
    expect(wantedInputs(samplePreview, first).map(({ id }) => id)).toEqual(['workspaceFolder', 'input:jira']);
    expect(isReady(first, none)).toBe(true);
    expect(isReady(filled, none)).toBe(true);
    const without = changeEntry(changeEntry(first, '1', { chosen: false }), '2', { chosen: false });
    expect(wantedInputs(samplePreview, without)).toEqual([]);
    expect(isReady(without, none)).toBe(true);
    expect(isReady(changeEntry(without, '0', { chosen: false }), none)).toBe(false);
  });

  it('[PB-CLIENT-2] name the servers that wait for empty inputs', () => {
    const titles = samplePreview.inputs.map(({ title }) => title).join(' and ');
    expect(waitingText(samplePreview, first)).toBe(
      `mcp-playwright and jira start once you enter ${titles}, now or later.`,
    );
    const one = { ...first, inputs: { ...first.inputs, 'input:jira': 'hush' } };
    expect(waitingText(samplePreview, one)).toBe(
      'mcp-playwright starts once you enter Workspace folder, now or later.',
    );
    expect(waitingText(samplePreview, filled)).toBeUndefined();
  });

  it('[PB-CLIENT-2] need valid, unused names', () => {
    const error = (key: string, existing = none) => {
      const choices = changeEntry(filled, '0', { key });
      expect(isReady(choices, existing)).toBe(
        choices.entries[0] !== undefined &&
          entryKeyError(choices.entries[0], choices, existing) === undefined,
      );
      return choices.entries[0] && entryKeyError(choices.entries[0], choices, existing);
    };
    expect(error('')).toBe('Enter a name.');
    expect(error('a:b')).toContain('":"');
    expect(error('jira')).toContain('Two servers');
    expect(error('taken', new Set(['taken']))).toContain('taken');
    expect(error('notes')).toBeUndefined();
    const badSecret = changeEntry(filled, '0', { secrets: { 'env.AIRTABLE_TOKEN:0': 'a b' } });
    expect(isReady(badSecret, none)).toBe(false);
  });

  it('[PB-CLIENT-2] [NFR-SEC1] become the request to the engine, passwords with their secret names', () => {
    const choices = changeEntry(filled, '1', { chosen: false });
    expect(importChoices(samplePreview, choices)).toEqual({
      session: 's1',
      entries: [
        {
          id: '0',
          key: 'airtable',
          secrets: [{ id: 'env.AIRTABLE_TOKEN:0', secretName: 'AIRTABLE_TOKEN' }],
        },
        { id: '2', key: 'jira', secrets: [] },
      ],
      inputs: [{ id: 'input:jira', value: 'hush', secretName: 'JIRA' }],
    });
  });

  it('[PB-CLIENT-2] continue with the servers that could not be added', () => {
    const { problem } = { problem: { code: 'internal' as const, sentence: '', fix: '', evidence: [] } };
    const result = { added: ['airtable'], failed: [{ key: 'jira', problem }], secrets: [], waiting: [] };
    expect(
      choicesOfFailed(filled, result)
        .entries.filter(({ chosen }) => chosen)
        .map(({ key }) => key),
    ).toEqual(['jira']);
  });
});
