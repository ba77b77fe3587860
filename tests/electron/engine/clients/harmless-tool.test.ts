import { describe, expect, it } from 'vitest';
import { harmlessTool } from '../../../../electron/engine/clients/proof/harmless-tool.ts';

const annotations = { readOnlyHint: true };
const readOnly = (name: string, more: object = {}) => ({ name, inputSchema: {}, annotations, ...more });

describe('a harmless tool', () => {
  it.each([
    [[{ name: 'write', inputSchema: {} }], undefined],
    [[readOnly('read', { inputSchema: { required: ['city'] } })], undefined],
    [[{ name: 'write' }, readOnly('list', { inputSchema: { required: [] } })], 'list'],
    [[{ name: 'delete', annotations: { readOnlyHint: false } }], undefined],
    [[readOnly('might', { inputSchema: { properties: { city: {} } } }), readOnly('none')], 'none'],
  ])('[PB-CLIENT-1] %j', (tools, name) => {
    expect(harmlessTool(tools)).toBe(name);
  });

  it.each([
    'everything__get-env',
    'printEnv',
    'ENV',
    'list_environment_variables',
    'show_config',
    'getAPIKey',
    'list-tokens',
    'read_file',
    'vault__list_secrets',
    'aws_credentials',
    'list_directory',
    'whoami',
  ])('[PB-CLIENT-1] is never one that may reveal private data: %s', (name) => {
    expect(harmlessTool([readOnly(name)])).toBeUndefined();
    expect(harmlessTool([readOnly(name), readOnly('everything__get-tiny-image')])).toBe(
      'everything__get-tiny-image',
    );
  });

  it('[PB-CLIENT-1] nor one whose description alone says so', () => {
    const show = readOnly('show', { description: 'Returns all environment variables, for debugging.' });
    expect(harmlessTool([show])).toBeUndefined();
  });
});
