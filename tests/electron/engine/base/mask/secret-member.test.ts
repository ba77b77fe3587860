import { describe, expect, it } from 'vitest';
import { maskJson } from '../../../../../electron/engine/base/mask/mask-json.ts';
import { maskText } from '../../../../../electron/engine/base/mask/mask-text.ts';
import { isSecretMember } from '../../../../../electron/engine/base/mask/secret-member.ts';

const none = [
  'serverKey',
  'server_key',
  'primaryKey',
  'primary_keys',
  'foreignKey',
  'sortKey',
  'partitionKey',
  'cacheKey',
  'idempotencyKey',
  'objectKey',
  'publicKey',
  'projectKey',
  'hotKey',
  'keyId',
  'keyCode',
  'keyFindings',
  'keyPhrases',
  'keyword',
  'keywords',
  'keyboard',
  'tokenCount',
  'max_tokens',
  'inputTokens',
  'prompt_tokens',
  'completionTokens',
  'cache_read_input_tokens',
  'reasoning_tokens',
  'progressToken',
  'nextPageToken',
  'continuation_token',
  'tokenizer',
  'phrase',
  'searchPhrase',
  'passThrough',
  'pass_rate',
  'methodSignature',
  'author',
  'monkey',
];

const secret = [
  'key',
  'keys',
  'apiKey',
  'api_key',
  'apiKeyId',
  'accessKeyId',
  'keyValue',
  'key_material',
  'privateKey',
  'signingKey',
  'storageKey',
  'SERVER_KEY',
  'PRIMARY_KEY',
  'token',
  'tokens',
  'accessToken',
  'refreshTokens',
  'githubToken',
  'tokenValue',
  'clientSecret',
  'secretServerKey',
  'password',
  'dbPass',
  'seedPhrase',
  'passPhrase',
  'recovery_phrase',
  'signature',
  'connectionString',
  'sessionCookie',
  'authorization',
];

describe('secrets are recognized by member names [REQ-MCP-OBS-002]', () => {
  it.each(none)('%s is none', (name) => {
    expect(isSecretMember(name)).toBe(false);
    expect(maskJson(JSON.stringify({ [name]: 'time' })).text).toBe(JSON.stringify({ [name]: 'time' }));
    expect(maskText(`${name}=time`)).toBe(`${name}=time`);
  });

  it.each(secret)('%s is one', (name) => {
    expect(isSecretMember(name)).toBe(true);
    expect(maskJson(JSON.stringify({ [name]: 'time' })).text).toBe(JSON.stringify({ [name]: '•••' }));
    expect(maskText(`${name}=time`)).toBe(`${name}=•••`);
  });

  it('a value with the shape of a secret is one under any name', () => {
    const json = JSON.stringify({ serverKey: 'ghp_0123456789abcdefABCDEF0123456789abcd' });
    expect(maskJson(json).text).toBe('{"serverKey":"•••"}');
  });

  it('a number of tokens is not a secret', () => {
    expect(maskJson('{"tokens":1250,"pin":1250,"apiTokens":["time"]}').text).toBe(
      '{"tokens":1250,"pin":"•••","apiTokens":["•••"]}',
    );
  });
});
