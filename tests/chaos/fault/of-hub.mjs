import { pause } from '../../bench/lib/wait.mjs';

/** Faults of the hub and of the bridges that lead to it. */
export const hubFaults = {
  async killBridge({ random, clients, note }) {
    const bridged = clients.filter(({ bridge }) => bridge !== undefined);
    if (bridged.length === 0) return undefined;
    const { name, bridge } = random.pick(bridged);
    note('killBridge', { client: name, pid: bridge.pid });
    bridge.kill();
    return name;
  },

  /** A client that does not read for a while; what is said to it must not be in anybody else's way. */
  async deafen({ random, clients, note }) {
    const { name, bridge } = random.pick(clients);
    if (bridge === undefined) return undefined;
    const milliseconds = random.between(500, 5_000);
    note('deafen', { client: name, milliseconds });
    bridge.pauseReading();
    await pause(milliseconds);
    bridge.resumeReading();
    return name;
  },

  async hangHub({ random, hub, note }) {
    if (hub.current === undefined) return undefined;
    const milliseconds = random.between(200, 3_000);
    note('hangHub', { milliseconds });
    await hub.hang(milliseconds);
    return 'hub';
  },

  killHub: (world) => endHub(world, 'kill', 'killHub'),
  quitHub: (world) => endHub(world, 'quit', 'quitHub'),
};

async function endHub({ random, hub, note }, how, kind) {
  if (hub.current === undefined || hub.isEnding) return undefined;
  const bridgesMayStart = random.chance(0.5);
  note(kind, { bridgesMayStart });
  await hub.end(how, { bridgesMayStart });
  await pause(random.between(0, 4_000));
  await hub.start();
  return 'hub';
}
