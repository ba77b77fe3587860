/** One call after the other; the milliseconds of each. */
export async function sequential(client, body, calls) {
  const times = new Float64Array(calls);
  for (let index = 0; index < calls; index += 1) {
    const begun = performance.now();
    await client.exchange(body);
    times[index] = performance.now() - begun;
  }
  return times;
}

/** So many in flight all the time, until `calls` are answered or the time is up. */
export async function concurrent(client, body, { calls, inFlight, milliseconds }) {
  const begun = performance.now();
  const end = begun + milliseconds;
  let sent = 0;
  const lane = async () => {
    while (sent < calls && performance.now() < end) {
      sent += 1;
      await client.exchange(body);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  return { calls: sent, milliseconds: performance.now() - begun };
}

/**
 * Rounds of blocks, one block of every runner a round, in an order that turns: whatever the machine does meanwhile
 * hits all alike. `block(runner, round)` that rejects takes its runner out; `onFailure` hears why.
 */
export async function interleave(runners, rounds, block, onFailure) {
  let left = [...runners];
  for (let round = 0; round < rounds; round += 1) {
    const turn = round % Math.max(1, left.length);
    for (const runner of [...left.slice(turn), ...left.slice(0, turn)]) {
      try {
        await block(runner, round);
      } catch (error) {
        left = left.filter((other) => other !== runner);
        onFailure(runner, error);
      }
    }
  }
}
