/**
 * Notices when what a command prints gets lost. The answer, asked for at the end, is the exit code: 1 where something did,
 * unless whoever read it had seen enough (`| head`).
 */
export function watchOutput(): (code: number) => Promise<number> {
  const { stdout, stderr } = process;
  let lost: Error | undefined;
  stdout.on('error', (error) => {
    lost ??= error;
  });
  stderr.on('error', () => {});
  return async (code) => {
    await new Promise<void>((resolve) => {
      stdout.write('', () => setImmediate(resolve));
    });
    const reason = lost === undefined ? undefined : reasonOf(lost);
    if (reason === undefined || reason === 'EPIPE') return code;
    stderr.write(`The output is incomplete (${reason}).\n`);
    return 1;
  };
}

function reasonOf(error: Error): string {
  return 'code' in error ? String(error.code) : error.message;
}
