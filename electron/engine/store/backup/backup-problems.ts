import { type Problem, problem, toProblem } from '../../../../shared/error/problem.ts';
import { errorCode } from '../atomic-file.ts';

export function noBackup(): Problem {
  const sentence = 'This file is not a Patchbay backup.';
  return problem('backup.unreadable', sentence, 'Choose a file that Patchbay saved with “Back up…”.');
}

export function noFile(file: string, error: unknown): Problem {
  const sentence = `${file} cannot be read.`;
  const reason = errorCode(error) ?? toProblem(error).sentence;
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

export function largeBackup(megabytes: number): Problem {
  const sentence = `This backup is larger than ${megabytes} MB.`;
  return problem('backup.unreadable', sentence, 'Choose a file that Patchbay saved with “Back up…”.');
}

/** A part of a backup, or of the setup to be backed up, cannot be used. */
export function unusableBackup(part: string, reason?: string): Problem {
  const sentence = `The backup cannot be used: its part “${part}” is not valid.`;
  return problem('backup.unreadable', sentence, 'Use another backup. Nothing was changed here.', {
    part,
    reason,
  });
}

export function wrongPassphrase(): Problem {
  const sentence = 'The passphrase is wrong.';
  const fix = 'Enter the passphrase this backup was made with, or restore without secrets.';
  return problem('backup.wrong_passphrase', sentence, fix);
}

export function shortPassphrase(least: number): Problem {
  const sentence = `The passphrase is shorter than ${least} characters.`;
  return problem('backup.short_passphrase', sentence, 'Choose a longer one; several words are best.');
}
