import type { BreakerView } from '../../../../shared/model/breaker.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { BreakerSnapshot } from '../../route/contract.ts';
import type { Resilience } from '../../route/resilience/resilience.ts';
import type { Breakers } from './contract.ts';

interface WithCircuits {
  readonly resilience: Pick<Resilience, 'circuits'>;
}

export interface BreakersOptions {
  readonly open: () => WithCircuits;
  readonly running: () => WithCircuits | undefined;
  readonly onOpen: Event<WithCircuits>;
}

/** Creates the part of the engine that lists and resets the circuit breakers of tools. */
export function createBreakers({ open, running, onOpen }: BreakersOptions): Breakers {
  const changes = new Emitter<readonly BreakerView[]>();
  const list = () => running()?.resilience.circuits.all().map(toView) ?? [];
  onOpen(({ resilience }) => resilience.circuits.onChange(() => changes.fire(list())));
  return {
    list,
    reset: (serverKey, tool) => open().resilience.circuits.reset(serverKey, tool),
    onChange: changes.event,
  };
}

function toView({
  serverKey,
  name,
  state,
  failures,
  successes,
  openedAt,
  until,
}: BreakerSnapshot): BreakerView {
  return {
    serverKey,
    tool: name,
    state,
    failures,
    successes,
    ...(openedAt === undefined ? {} : { openedAt }),
    ...(until === undefined ? {} : { until }),
  };
}
