import { describe, expect, it } from 'vitest';
import { isSecretName } from '../../../../../electron/engine/base/mask/secret-name.ts';

describe('secrets are recognized by name', () => {
  it.each([
    'API_KEY',
    'apiKey',
    'Authorization',
    'X-Api-Key',
    'DB_PASSWORD',
    'PGPASSWORD',
    'MYSQL_PWD',
    'GITHUBTOKEN',
    'GITHUB_TOKENS',
    'PRIVATE_KEY',
    'CONNECTION_STRING',
    'ConnectionStrings__Main',
    'SENTRY_DSN',
    'AWS_SECRET_ACCESS_KEY',
    'SESSION_COOKIE',
    'GOOGLE_APPLICATION_CREDENTIALS',
  ])('%s is one', (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  it.each([
    'KEYBOARD',
    'MONKEY',
    'COMPASS',
    'XAUTHORITY',
    'PATH',
    'PWD',
    'NAME',
    'TOKENIZERS_PARALLELISM',
    'MAX_TOKENS',
    'TOKEN_URL',
    'DB_PASSWORD_FILE',
    'AUTH_TYPE',
    'DATABASE_URL',
    'SSH_AUTH_SOCK',
    '',
  ])('%s is none', (name) => {
    expect(isSecretName(name)).toBe(false);
  });
});
