import type { Entry } from './found.ts';
import { baseName, packageOf } from './text/runners.ts';

/**
 * Suggests a key for a server: the written name if it is a plain word, otherwise its last part, so that tool
 * names stay short; without a name it is guessed from the package or host. Numbered if it is taken.
 */
export function suggestKey(written: string, entry: Entry, taken: ReadonlySet<string>): string {
  const base = written === '' ? guessKey(entry) : plainWord(written);
  for (let number = 1; ; number += 1) {
    const key = number === 1 ? base : `${base}-${number}`;
    if (!taken.has(key)) return key;
  }
}

/**
 * Returns whether slashes are between words: `Tables (local, r/w)`. A path has its spaces after its folders.
 */
export function isTitle(written: string): boolean {
  return /^\S{0,300}\s[^/]{0,300}\//.test(written);
}

/** Turns `github.com/owner/mcp-thing` into `mcp-thing`. */
function plainWord(written: string): string {
  if (!/[./\\:\s]/.test(written)) return written;
  const last =
    (isTitle(written) ? written.replaceAll('/', ' ') : written)
      .split(/[/\\]/)
      .filter((part) => part.trim() !== '')
      .at(-1) ?? '';
  const word = last.replace(/[.:\s]+/g, '-').replace(/^-+|(?<!-)-+$/g, '');
  return word === '' ? 'server' : word;
}

function guessKey(entry: Entry, depth = 0): string {
  if (typeof entry.url === 'string') {
    const known = entry.url.replace(/\$\{[^{}]*\}/g, '');
    const host = /^[a-z]+:\/\/(?:[^/@?#]*@)?([^/:?#]+)/i.exec(known)?.[1] ?? '';
    if (/^[\d.]*$|^\[/.test(host)) return 'server';
    const parts = host.split('.').filter((part) => !/^(?:mcp|www|api)$/i.test(part));
    return plainWord(parts.at(-2) ?? parts[0] ?? '') || 'server';
  }
  const args = Array.isArray(entry.args) ? entry.args.flat() : [];
  const [program = '', ...rest] = [entry.command, ...args]
    .filter((word): word is string => typeof word === 'string')
    .map((word) => word.slice(0, maxWordLength));
  const packaged = packageOf(baseName(program), rest);
  // A bridge to a remote server is named after its target.
  const address = rest.find((word) => /^https?:\/\//.test(word));
  if (address !== undefined && /mcp-remote|mcp-proxy|supergateway/.test(packaged?.name ?? ''))
    return guessKey({ url: address });
  // A runner may run another one.
  if (
    packaged !== undefined &&
    /^(?:npx|uvx?|node|python[\d.]*|bash|tsx|ts-node)$/.test(packaged.name) &&
    packaged.args.length > 0 &&
    depth < maxRunners
  ) {
    return guessKey({ command: packaged.name, args: packaged.args }, depth + 1);
  }
  // A hosting service's runner, and a runner of Python files, are named after the program they run.
  const inner = /^@smithery\/cli/.test(packaged?.name ?? '') ? packaged?.args : undefined;
  if (inner?.[0] === 'run' && inner[1] !== undefined)
    return guessKey({ command: 'npx', args: ['-y', inner[1]] }, depth + 1);
  const [host, given] = packaged === undefined ? [baseName(program), rest] : [packaged.name, packaged.args];
  if (/^(?:fastmcp|mcp)$/.test(host) && given[0] === 'run' && given[1] !== undefined)
    return guessKey({ command: 'python', args: [given[1]] }, depth + 1);
  if (baseName(program) === 'docker' && rest[0] === 'mcp') return rest.slice(0, 3).join('-');
  const isWord = (word: string) =>
    !/^-|^https?:|[[\]=$]/.test(word) && (pathStart.test(word) || !/\s/.test(word));
  const isInterpreter = /^(?:node|python[\d.]*|java|ruby|php|bash|sh)$/.test(baseName(program));
  const named = [...(isInterpreter ? [] : [program]), ...rest].find(
    (word) => /mcp|server/i.test(word) && isWord(word),
  );
  const first = rest.find((word) => isWord(word) && !/^(?:tsx|ts-node|run)$/.test(word));
  if (typeof entry.cwd === 'string' && first !== undefined && genericFile.test(first))
    return plainWord(entry.cwd.replace(/^\$\{input:fill:path-to-|\}$/g, '')) || 'server';
  const word = packaged?.name === '' || packaged?.name === 'tsx' ? undefined : packaged?.name;
  return (
    plainWord(
      packageWord(
        word ??
          named ??
          (isInterpreter || packaged !== undefined ? first : undefined) ??
          program.replace(/^[A-Za-z_]\w*=.*$/s, ''),
      ),
    ) || 'server'
  );
}

/** Maximum depth of runners that run one another. */
const maxRunners = 3;

/** Longer words are not names. */
const maxWordLength = 300;

/** Folders of users and programs may have spaces in their names. */
const pathStart = /^(?:[A-Za-z]:)?[/\\]|^[.~]{1,2}[/\\]/;

/** A file name that does not describe the program. */
const genericFile =
  /^(?:\.[/\\])?(?:(?:dist|build|src|lib|out|bin)[/\\])*(?:index|main|server|cli|start|app)\.\w+$/;

/** A package with a generic name is named after its owner: `@owner/mcp`, `ghcr.io/owner/mcp-server`. */
function ownerName(name: string): string {
  const [, owner] = /^(?:[\w.-]+\/)*@?([\w-]+)\/(?:mcp|server|mcp-?server|server-mcp)$/i.exec(name) ?? [];
  return owner === undefined || /^(?:mcp|modelcontextprotocol)$/i.test(owner) ? name : owner;
}

/** Removes the version, the extension, and build folders. */
function packageWord(word: string): string {
  const bare = word
    .replace(/^(?:npm|jsr|node|git\+https?):(?=[@\w])/, '')
    .replace(/(?<=.)@[^/@]*$/, '')
    .replace(/[=<>~!]=[\s\S]*$/, '')
    .replace(/\[[^[\]]*\]$/, '')
    .replace(/(?<=\/[^/:]+):[\w.-]+$/, '');
  const file =
    /^(.*?)[/\\](?:(?:dist|build|src|lib|out|bin)[/\\])*(?:index|main|server|cli|start|app)\.(?:[cm]?[jt]s|py)$/.exec(
      bare,
    )?.[1];
  const folder = file?.split(/[/\\]/).at(-1) ?? '';
  const name =
    folder !== '' && !/^(?:dist|build|src|lib|out|bin|\.+)$/.test(folder) ? folder : ownerName(bare);
  return name.replace(/\.(?:[cm]?js|ts|py|exe|cmd|jar)$/, '');
}
