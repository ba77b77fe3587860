/**
 * Notices when output is lost. The returned function resolves to the exit code: 1 if output was lost, unless
 * the reader closed the pipe (`| head`).
 */
export function watchOutput(): (code: number) => Promise<number> {
  const { stdout, stderr } = process;
  let firstError: Error | undefined;
  stdout.on('error', (error) => {
    firstError ??= error;
  });
  stderr.on('error', () => {});
  return async (code) => {
    await new Promise<void>((resolve) => {
      stdout.write('', () => setImmediate(resolve));
    });
    const reason = firstError === undefined ? undefined : reasonOf(firstError);
    if (reason === undefined || reason === 'EPIPE') return code;
    stderr.write(`The output is incomplete (${reason}).\n`);
    return 1;
  };
}

function reasonOf(error: Error): string {
  return 'code' in error ? String(error.code) : error.message;
}
