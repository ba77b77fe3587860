/** `npm run check`: types, lint and format, unused code, contract gate, unit and integration tests. */
import { isProgram } from './root.mjs';
import { runSteps, tool, vitestStep } from './steps.mjs';

export const checkSteps = [
  // One checker per project: each one more checks again what they share.
  // Collects garbage half as often as by default, which saves a sixth of the time.
  { name: 'types', command: tool('typescript/bin/tsc', '-b', '--checkers', '1'), env: { GOGC: '200' } },
  { name: 'lint', command: tool('@biomejs/biome/bin/biome', 'ci') },
  { name: 'unused code', command: tool('knip/bin/knip.js') },
  vitestStep('contract'),
  vitestStep('unit'),
  vitestStep('integration'),
];

if (isProgram(import.meta.url)) process.exit((await runSteps(checkSteps)).ok ? 0 : 1);
