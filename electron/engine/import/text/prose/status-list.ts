import { splitCommand } from '../../../../../shared/split-command.ts';
import type { Entry } from '../entry/dialects.ts';
import type { AddedServer } from '../shell/add-command.ts';
import { fields, optionalMember } from '../shell/fields.ts';

/** Reads servers as clients list them with their status: one per line, block or table row. */
export function serversFromStatusList(text: string): readonly AddedServer[] {
  const lines = text.split('\n');
  return [...lines.flatMap(serversInLine), ...serversInBlocks(lines), ...serversInTables(lines)];
}

/** Reads `name: npx -y … - ✓ Connected`, `✓ name: https://… (HTTP) - Connected`. */
function serversInLine(line: string): readonly AddedServer[] {
  const end = line.lastIndexOf(' - ');
  const isMarked = /^\s*[✓✔✗✘×!⚠●○…]/.test(line);
  const state = isMarked ? /^\s*(?:dis)?connected\b/i : /^\s*[✓✔✗✘×!⚠]\S?\s+\S/;
  if (end === -1 || !state.test(line.slice(end + 3))) return [];
  const head = line.slice(0, end).trim();
  const colon = head.indexOf(': ');
  const name = head.slice(0, Math.max(colon, 0)).replace(/^[✓✔✗✘×!⚠●○…-]+\s*/, '');
  const [kind = '', type = ''] = /\((http|sse|stdio)\)$/i.exec(head) ?? [];
  const target = head.slice(colon + 2, head.length - kind.length).trim();
  if (name === '' || target === '') return [];
  return [{ name, entry: targetEntry(target, type === '' ? {} : { type: type.toLowerCase() }) }];
}

function targetEntry(target: string, more: Entry = {}): Entry {
  if (/^https?:\/\//.test(target)) return { ...more, url: target };
  const [command = '', ...args] = splitCommand(target);
  const { type: _, ...rest } = more;
  return { command, args, ...rest };
}

/** Reads `● ✓ name connected`, with the command or address on a line below (opencode). */
function serversInBlocks(lines: readonly string[]): readonly AddedServer[] {
  const blocks: { readonly name: string; readonly isOff: boolean; target: string }[] = [];
  let open: (typeof blocks)[number] | undefined;
  for (const line of lines) {
    const [, name, state = ''] =
      /^[\s│|●]{0,10}[✓✔✗✘○⚠]\s+(\S{1,100})\s+(connected|disabled|needs |failed)/.exec(line) ?? [];
    const inner = /^\s{0,10}[│|]\s+(\S.*)$/.exec(line)?.[1]?.trim();
    if (name !== undefined) {
      open = { name, isOff: state === 'disabled', target: '' };
      blocks.push(open);
    } else if (inner === undefined) open = undefined;
    // A failure message comes before the target.
    else if (open !== undefined) open.target = inner;
  }
  return blocks
    .filter(({ target }) => target !== '')
    .map(({ name, target, isOff }) => ({
      name,
      entry: targetEntry(target, isOff ? { disabled: true } : {}),
    }));
}

const columns = ['Name', 'Command', 'Args', 'Env', 'Cwd', 'Status', 'Auth'];

/** Reads rows under `Name  Command  Args  Env  Cwd  Status  Auth` or `Name  Url  …  Status  Auth` (Codex). */
function serversInTables(lines: readonly string[]): readonly AddedServer[] {
  let titles = columns;
  return lines.flatMap((line): readonly AddedServer[] => {
    const cells = line.trim().split(/\s{2,}|\t/);
    if (/^Name\s+(?:Command|Url)\s/.test(line)) {
      titles = cells.length > 1 ? cells : columns;
      return [];
    }
    if (cells.length !== titles.length) return [];
    const row = Object.fromEntries(
      cells.map((cell, at) => [titles[at]?.toLowerCase() ?? '', cell === '-' ? '' : cell]),
    );
    const { name = '', command = '', args = '', env = '', cwd = '', url = '', status = '' } = row;
    if (!/^(?:en|dis)abled/.test(status) || name === '' || (command === '' && url === '')) return [];
    const bearer = row['bearer token env var'] ?? '';
    const off = status.startsWith('disabled') ? { disabled: true } : {};
    if (url !== '')
      return [{ name, entry: { url, ...(bearer === '' ? {} : { bearer_token_env_var: bearer }), ...off } }];
    const set = fields(env.split(/,\s*(?=[A-Za-z_]\w*=)/), /=/);
    return [
      {
        name,
        entry: {
          command,
          args: splitCommand(args),
          ...optionalMember('env', set),
          ...(cwd === '' ? {} : { cwd }),
          ...off,
        },
      },
    ];
  });
}
