/** `npm run check`: types, lint and format, unused code, contract gate, unit and integration tests. */
import { isProgram } from './root.mjs';
import { runSteps, tool, vitestStep } from './steps.mjs';

export const checkSteps = [
  { name: 'types', command: tool('typescript/bin/tsc', '-b') },
  { name: 'lint', command: tool('@biomejs/biome/bin/biome', 'ci') },
  { name: 'unused code', command: tool('knip/bin/knip.js') },
  vitestStep('contract'),
  vitestStep('unit'),
  vitestStep('integration'),
];

if (isProgram(import.meta.url)) process.exit((await runSteps(checkSteps)).ok ? 0 : 1);
