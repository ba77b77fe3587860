import type { CallListener, CallRecord } from '../../route/contract.ts';
import { CallNumbers } from './call-numbers.ts';
import type { MetricsSource } from './metrics-text.ts';

export interface Meter {
  /** Hears of every call. */
  readonly calls: CallListener;
  /** In Prometheus' text format. */
  text(): Promise<string>;
}

/** The numbers of a hub. What makes text of them is loaded when somebody asks for it. */
export function createMeter(options: {
  readonly agentOf: (sessionId: string) => string;
  /** How much of a call's time somebody was being asked, in milliseconds. */
  readonly waitedIn: (call: CallRecord) => number;
  readonly circuits: MetricsSource['circuits'];
}): Meter {
  const numbers = new CallNumbers(options.agentOf, options.waitedIn);
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
