import { CallCounters } from './call-counters.ts';
import type { MetricsSource } from './metrics-text.ts';

export interface Meter {
  /** Must be called for every call. */
  readonly calls: CallCounters;
  /** Returns Prometheus' text format. */
  text(): Promise<string>;
}

/** Creates the metrics of a hub. Code for the text format is loaded on first use. */
export function createMeter(options: {
  readonly agentOf: (sessionId: string) => string;
  readonly circuits: MetricsSource['circuits'];
}): Meter {
  const numbers = new CallCounters(options.agentOf);
  let text: Promise<() => Promise<string>> | undefined;
  return {
    calls: numbers,
    async text() {
      text ??= import('./metrics-text.ts').then(({ createMetricsText }) =>
        createMetricsText({ tools: () => numbers.all(), circuits: options.circuits }),
      );
      return (await text)();
    },
  };
}
