import { describe, expect, it } from 'vitest';
import { backupText, readBackup } from '../../../../electron/engine/backup/backup-file.ts';
import { encryptSecrets } from '../../../../electron/engine/backup/backup-secrets.ts';
import { noRows } from '../../../../electron/engine/backup/setup.ts';
import { digestOf } from '../../../../electron/engine/base/digest.ts';
import { toProblem } from '../../../../shared/error/problem.ts';
import { maxBackupBytes } from '../../../../shared/model/hub/backup.ts';

const config = '\uFEFF{\r\n  // mine\r\n  "mcpServers": { "a": { "command": "node" } },\r\n}\r\n';
const common = { setup: { files: { config }, rows: noRows }, madeAt: 1_000, madeBy: '1.2.3', bundled: [] };
const canary = 'canary-51c2-backup';
const values = { secrets: [{ name: 'secret:API', value: canary, at: 5 }], tokens: { agent: 'ab12' } };
const passphrase = 'correct horse battery';

const makeText = () => backupText({ ...common, secrets: { values, passphrase } });
let made: Promise<string> | undefined;
/** Created once, because its key is expensive to compute. */
const withSecrets = () => {
  made ??= makeText();
  return made;
};
const codeOf = (run: () => unknown): string => {
  try {
    run();
    return 'none';
  } catch (error) {
    return toProblem(error).code;
  }
};
/** Builds a file as someone who knows its format might write it. */
function forged(text: string, change: (file: Record<string, unknown>) => void): string {
  const { digest: _, ...file } = JSON.parse(text);
  change(file);
  return JSON.stringify({ ...file, digest: digestOf(file) });
}

describe('a backup file', () => {
  it('[NFR-SEC1] gives back what went in to the byte, and its secrets for their passphrase alone', async () => {
    const text = await withSecrets();
    expect(text).not.toContain(canary);
    expect(text).not.toContain(passphrase);
    const backup = readBackup(text);
    expect(backup).toMatchObject({ files: { config }, madeAt: 1_000, madeBy: '1.2.3', hasSecrets: true });
    expect(await backup.open(passphrase)).toEqual(values);
    await expect(backup.open('another passphrase')).rejects.toMatchObject({
      problem: { code: 'backup.wrong_passphrase' },
    });
  });

  it('[NFR-SEC1] has another salt and nonce each time, and refuses a short passphrase', async () => {
    const [one, two] = [JSON.parse(await withSecrets()).secrets, JSON.parse(await makeText()).secrets];
    for (const part of ['salt', 'nonce', 'data', 'check']) expect(one[part]).not.toBe(two[part]);
    expect(one.n).toBeGreaterThanOrEqual(2 ** 15);
    const short = { ...common, secrets: { values, passphrase: 'seven77' } };
    await expect(backupText(short)).rejects.toMatchObject({ problem: { code: 'backup.short_passphrase' } });
  });

  it('is refused with any byte changed, unless it still says the same', async () => {
    const text = await withSecrets();
    const bytes = Buffer.from(text);
    let seed = 7;
    const next = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed % below;
    };
    const known = JSON.stringify(JSON.parse(text));
    for (let round = 0; round < 1_500; round += 1) {
      const changed = Buffer.from(bytes);
      changed[next(bytes.length)] = next(256);
      const read = changed.toString('utf8');
      const code = codeOf(() => readBackup(read));
      if (code === 'none') expect(JSON.stringify(JSON.parse(read))).toBe(known);
      else expect(code).toMatch(/^backup\.(?:unreadable|newer|changed)$/);
    }
    for (let length = 0; length < bytes.length; length += 37)
      expect(codeOf(() => readBackup(bytes.subarray(0, length).toString('utf8')))).toBe('backup.unreadable');
  });

  it('[NFR-SEC1] opens no secrets beside a setup that somebody put in their place', async () => {
    const text = await withSecrets();
    const other = readBackup(
      forged(text, (file) => {
        file.files = { config: '{ "mcpServers": { "evil": { "command": "sh" } } }' };
      }),
    );
    await expect(other.open(passphrase)).rejects.toMatchObject({ problem: { code: 'backup.changed' } });
    const cipher = readBackup(
      forged(text, (file) => {
        const secrets = file.secrets as Record<string, string>;
        secrets.tag = Buffer.alloc(16).toString('base64');
      }),
    );
    await expect(cipher.open(passphrase)).rejects.toMatchObject({ problem: { code: 'backup.changed' } });
  });

  it.each([
    ['too weak', { n: 2 ** 14 }],
    ['too dear', { n: 2 ** 30 }],
    ['no power of two', { n: 2 ** 17 + 1 }],
    ['too much memory', { n: 2 ** 20, r: 32 }],
    ['too many rounds', { p: 100 }],
    ['negative', { n: -1 }],
  ])('[NFR-SEC1] computes nothing for a key that is %s', async (_what, cost) => {
    const text = await withSecrets();
    const backup = readBackup(forged(text, (file) => Object.assign(file.secrets as object, cost)));
    await expect(backup.open(passphrase)).rejects.toMatchObject({ problem: { code: 'backup.unreadable' } });
  });

  it('of a newer format is refused with a sentence that says so', async () => {
    const text = forged(await backupText(common), (file) => {
      file.patchbayBackup = 2;
    });
    expect(() => readBackup(text)).toThrow('This backup was made by a newer version of Patchbay.');
  });

  it.each([
    ['nothing', ''],
    ['another JSON', '{"mcpServers":{}}'],
    ['no object', '[1]'],
    ['deep nesting', `{"patchbayBackup":1,"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
    ['a text that is no JSON', 'PK\u0003\u0004'],
  ])('is not %s', (_what, text) => {
    expect(codeOf(() => readBackup(text))).toMatch(/^backup\.(?:unreadable|changed)$/);
  });

  it.each([
    ['{"mcpServers":{}}', 'This is a list of MCP servers, not a Patchbay backup.'],
    [Buffer.from('89504e470d0a1a0a0000', 'hex').toString('utf8'), 'This is an image, not a Patchbay backup.'],
    [Buffer.from('ffd8ffe000104a464946', 'hex').toString('utf8'), 'This is an image, not a Patchbay backup.'],
    ['PK\u0003\u0004', 'This is an archive, not a Patchbay backup.'],
    ['%PDF-1.7', 'This is a PDF file, not a Patchbay backup.'],
    ['# Notes', 'This file is not a Patchbay backup.'],
    ['{\n "patchbayBackup": 1,\n "ma', 'This backup is incomplete or damaged.'],
  ])('is distinguished from a file that begins with %j', (text, sentence) => {
    expect(() => readBackup(text)).toThrow(sentence);
  });

  it('with fields that only another version knows opens with its secrets', async () => {
    const content = { madeAt: 1, madeBy: '0.9.0', files: { config, notes: 'x' }, rows: noRows, bundled: [] };
    const all = { ...content, mood: ['good'] };
    const secrets = await encryptSecrets(JSON.stringify(values), passphrase, digestOf(all));
    const file = { patchbayBackup: 1, ...all, secrets };
    const backup = readBackup(JSON.stringify({ ...file, digest: digestOf(file) }));
    expect(backup.files).toEqual({ config });
    expect(await backup.open(passphrase)).toEqual(values);
  });

  it('that nobody could read again is not made', async () => {
    const setup = { ...common.setup, files: { config: 'x'.repeat(maxBackupBytes) } };
    await expect(backupText({ ...common, setup })).rejects.toMatchObject({
      problem: { code: 'backup.unreadable', sentence: 'Nothing was saved: the setup is larger than 64 MB.' },
    });
  });

  it('has rows that the database takes, whatever was written into it', async () => {
    const row = { kind: 'client', name: 'a', owner: null, created_at: 1, expires_at: null };
    const rest = { revoked_at: null, token_hash: null, last_seen_at: null };
    const text = forged(await backupText(common), (file) => {
      const grant = { effect: 'allow', scope: 'all', server_id: '', tool_name: '', needs_token: 0 };
      const told = { granted_at: 1, granted_by: 'x', expires_at: null };
      file.rows = {
        ...noRows,
        identity: [
          { id: '1', ...row, ...rest },
          { id: '1', ...row, ...rest },
          { id: '2', ...row, ...rest },
        ],
        mcp_policies: [{ id: 'g', agent_id: 'nobody', ...grant, ...told }],
      };
    });
    expect(readBackup(text).rows).toMatchObject({ identity: [{ id: '1' }], mcp_policies: [] });
    const odd = forged(text, (file) => {
      file.rows = { ...noRows, identity: [{ id: 1 }] };
    });
    expect(codeOf(() => readBackup(odd))).toBe('backup.unreadable');
  });

  it('that is too large is not parsed', () => {
    expect(codeOf(() => readBackup(' '.repeat(maxBackupBytes + 1)))).toBe('backup.unreadable');
  });
});
