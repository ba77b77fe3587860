import '../engine/base/collect-alone.ts';
import { runAggregator } from './run-aggregator.ts';
import { stayAlive } from './stay-alive.ts';

// Not awaited: what is loaded later, from a file of its own, would wait for it in turn.
void stayAlive(() => runAggregator(process.argv.slice(2), process.env)).then((code) => {
  // A client that keeps our pipes open must not keep us alive once everything has ended.
  process.exit(code);
});
