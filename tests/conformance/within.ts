/** `await using`, which the suite's Node does not know yet: the resource is closed however the work ends. */
export async function within<R extends AsyncDisposable, T>(
  opening: Promise<R>,
  work: (resource: R) => Promise<T>,
): Promise<T> {
  const resource = await opening;
  try {
    return await work(resource);
  } finally {
    await resource[Symbol.asyncDispose]();
  }
}
