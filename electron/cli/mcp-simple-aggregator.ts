import { runAggregator } from './run-aggregator.ts';
import { stayAlive } from './stay-alive.ts';

process.exitCode = await stayAlive(() => runAggregator(process.argv.slice(2), process.env));
// A client that keeps our pipes open must not keep us alive once everything has ended.
process.exit();
