import { type Problem, problem, toProblem } from '../../../shared/error/problem.ts';
import { errorCode } from '../store/files/atomic-file.ts';

/** The file is not a backup; its kind is named if it is known. */
export function notABackup(kind: FileKind | undefined): Problem {
  if (kind === 'damaged') {
    const sentence = 'This backup is incomplete or damaged.';
    return problem('backup.unreadable', sentence, 'Use another copy of the file. Nothing was changed here.');
  }
  if (kind === 'servers') {
    const sentence = 'This is a list of MCP servers, not a Patchbay backup.';
    const fix = 'To add these servers, use “Add server” or “Import servers from another app”.';
    return problem('backup.unreadable', sentence, fix);
  }
  const sentence = `This ${kind === undefined ? 'file is' : `is ${kind},`} not a Patchbay backup.`;
  return problem('backup.unreadable', sentence, 'Choose a file that Patchbay saved with “Back up…”.');
}

type FileKind = 'damaged' | 'servers' | 'an image' | 'a PDF file' | 'an archive';

/** Recognises files that people choose by mistake, from the text and, for JSON, from the value. */
export function fileKindOf(text: string, value: unknown): FileKind | undefined {
  if (value === undefined) return textKinds.find(([start]) => start.test(text))?.[1];
  const isServers = typeof value === 'object' && value !== null && serverLists.some((name) => name in value);
  return isServers ? 'servers' : undefined;
}

/** Matches the first characters as decoded from UTF-8, in which invalid bytes become U+FFFD. */
const textKinds = [
  [/^\s*\{\s*"patchbayBackup"/, 'damaged'],
  [/^(?:\uFFFDPNG|\uFFFD{3}|GIF8|RIFF|<svg|<\?xml[^>]*>\s*<svg)/, 'an image'],
  [/^%PDF-/, 'a PDF file'],
  [/^(?:PK\W{2}|\W\uFFFD)/, 'an archive'],
] as const;

/** Members under which clients list their servers. */
const serverLists = ['mcpServers', 'mcp_servers', 'servers', 'context_servers', 'mcp'];

export function unreadableFile(file: string, error: unknown): Problem {
  const reason = errorCode(error) ?? toProblem(error).sentence;
  const sentence = reason === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read.`;
  return problem('backup.unreadable', sentence, 'Choose a backup file that you can read.', { file, reason });
}

export function newerBackup(format: number): Problem {
  const sentence = 'This backup was made by a newer version of Patchbay.';
  return problem('backup.newer', sentence, 'Update Patchbay on this computer, then restore the backup.', {
    'format of the backup': format,
  });
}

export function changedBackup(): Problem {
  const sentence = 'This backup was changed or damaged after Patchbay saved it.';
  return problem('backup.changed', sentence, 'Use another copy of the file. Nothing was changed here.');
}

/** A setup too large for a backup, which could not be read again. */
export function setupTooLarge(megabytes: number): Problem {
  const sentence = `Nothing was saved: the setup is larger than ${megabytes} MB.`;
  const fix = 'Remove servers you no longer use, then try again.';
  return problem('backup.unreadable', sentence, fix);
}

export function backupTooLarge(megabytes: number): Problem {
  const sentence = `This file is larger than ${megabytes} MB, more than any Patchbay backup.`;
  return problem('backup.unreadable', sentence, 'Choose a file that Patchbay saved with “Back up…”.');
}

/** Part of a backup, or of the setup to back up, is invalid. */
export function unusableBackup(part: string): Problem {
  const sentence = `The backup cannot be used: its part “${part}” is not valid.`;
  return problem('backup.unreadable', sentence, 'Use another backup. Nothing was changed here.', {
    part,
  });
}

export function wrongPassphrase(): Problem {
  const sentence = 'The passphrase is wrong.';
  const fix = 'Enter the passphrase this backup was made with, or restore without secrets.';
  return problem('backup.wrong_passphrase', sentence, fix);
}

export function shortPassphrase(minLength: number): Problem {
  const sentence = `The passphrase is shorter than ${minLength} characters.`;
  return problem('backup.short_passphrase', sentence, 'Choose a longer one; several words are best.');
}
