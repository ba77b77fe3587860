import { type Problem, problem } from '../../../shared/error/problem.ts';

export function checkFailed(error: unknown): Problem {
  const fix = 'Check your connection and try again. Patchbay also checks again tomorrow.';
  return problem('app.update_unreachable', 'The update server could not be reached.', fix, evidence(error));
}

/** The download failed or does not match the announcement. */
export function downloadFailed(error: unknown, version: string): Problem {
  if (verificationErrors.has(codeOf(error) ?? '')) {
    return problem(
      'app.update_refused',
      `What was downloaded as version ${version} does not match its published checksum and was discarded.`,
      'Try again later. If it happens again, report it, and do not install this version.',
      evidence(error),
    );
  }
  const sentence = `Version ${version} could not be downloaded.`;
  return problem('app.update_failed', sentence, 'Check the connection and try again.', evidence(error));
}

export function cannotReplace(reason: string): Problem {
  const fix = 'Get write permission for it, or install the new version yourself. Nothing was stopped.';
  return problem('app.update_failed', reason, fix);
}

export function notReplaced(wanted: string, version: string): Problem {
  const sentence = `Version ${wanted} could not be installed; version ${version} is still running.`;
  const fix = 'Try again, or install the new version yourself. The log has the installer’s output.';
  return problem('app.update_failed', sentence, fix, { wanted, version });
}

/**
 * The library checks the announced digest on every system, and the publisher's signature on Windows and
 * macOS.
 */
const verificationErrors: ReadonlySet<string> = new Set([
  'ERR_CHECKSUM_MISMATCH',
  'ERR_UPDATER_INVALID_SIGNATURE',
]);

function evidence(error: unknown): Readonly<Record<string, string | undefined>> {
  const text = error instanceof Error ? error.message : String(error);
  return { reason: (text.split('\n')[0] ?? '').slice(0, maxReasonLength), code: codeOf(error) };
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

const maxReasonLength = 300;
