import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hasSecretShape } from '../../../../../electron/engine/base/mask/secret-shape.ts';

describe('secrets are recognized by shape', () => {
  it.each([
    'x9Kf2Lq8',
    'Tr0ub4dor&3',
    '5f4dcc3b5aa765d61d8327deb882cf99',
    'ghp_0123456789abcdefghij',
    'sk-proj-abcdefghijklmnop',
    'eyJhbGciOiJIUzI1NiJ9.e30.x',
    '550e8400-e29b-41d4-a716-446655440000',
    'QWxhZGRpbjpvcGVuIHNlc2FtZQ==',
    'JBSWY3DPEHPK3PXP',
    'aGVsbGVXZbGRRCgXYabQ',
  ])('%s is one', (text) => {
    expect(hasSecretShape(text)).toBe(true);
  });

  it.each([
    'claude-3-5-sonnet-20241022',
    'gpt-4o-mini-2024-07-18',
    'us-east-1',
    '2025-11-25T10:00:00.000Z',
    '/home/ann/my-project',
    '@modelcontextprotocol/server-filesystem@2025.7.29',
    'localhost:3000',
    'https://api.example.dev/v1/things',
    'someVeryLongCamelCaseNameHere',
    'production',
    'en_US.UTF-8',
    'node_modules/.bin/tsx',
    'sk-learn',
    'a9Z',
    'two words9Kf2Lq8x',
  ])('%s is none', (text) => {
    expect(hasSecretShape(text)).toBe(false);
  });

  it('nearly all random keys are found', () => {
    const missed = Array.from({ length: 500 }, () => randomBytes(24)).filter(
      (bytes) => !hasSecretShape(bytes.toString('base64url')) || !hasSecretShape(bytes.toString('hex')),
    );
    expect(missed.length).toBeLessThan(25);
  });
});
