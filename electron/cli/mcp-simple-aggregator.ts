import { runAggregator } from './aggregator/aggregator.ts';
import { keepAliveDuring } from './process/keep-alive.ts';

// Not awaited: modules that are imported later would wait for this one to finish.
void keepAliveDuring(() => runAggregator(process.argv.slice(2), process.env)).then((code) => {
  // A client that keeps our pipes open must not keep us alive once everything has ended.
  process.exit(code);
});
