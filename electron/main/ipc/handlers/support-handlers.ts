import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import { unsavedFile, writePrivateFile } from '../../../engine/engine.ts';
import type { ShellHandlers } from '../dispatcher.ts';
import type { HandlerContext } from '../handler-context.ts';

/** Handles the calls of `support-calls.ts`, in the same order. */
export function supportHandlers({ hub: run, support, system, appFolder }: HandlerContext) {
  let made: { readonly id: string; readonly text: string } | undefined;
  let count = 0;
  return {
    'about.versions': () => ({ versions: versions() }),
    'about.licences': async () => ({ text: await licences(appFolder) }),
    'support.make': async () => {
      const { Node: _node, ...program } = versions();
      const text = await (run.running?.support(program) ?? support(program));
      count += 1;
      made = { id: String(count), text };
      return made;
    },
    'support.save': async ({ id }) => {
      if (made?.id !== id) throw new ProblemError(gone());
      const { text } = made;
      const file = await system.chooseTarget('Save the support bundle', 'patchbay-support.txt');
      if (file === undefined) return {};
      await writePrivateFile(file, text).catch((error: unknown) => {
        throw unsavedFile(file, error);
      });
      return { file };
    },
  } satisfies Partial<ShellHandlers>;
}

function versions(): Readonly<Record<string, string>> {
  const { electron, chrome, node } = process.versions;
  const all = { Electron: electron, Chromium: chrome, Node: node };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, version]) => (version === undefined ? [] : [[name, version]])),
  );
}

/** Reads licence files, which the build writes beside each program. */
async function licences(folder: string): Promise<string> {
  const files = ['LICENSE', 'dist/main/main.js.licenses.md', 'dist/renderer/renderer.licenses.md'];
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8').catch(() => '')));
  const found = texts.filter((text) => text !== '');
  if (found.length > 0) return found.join('\n\n');
  const fix = 'See the LICENSE file in the source.';
  throw new ProblemError(problem('app.open_failed', 'This build does not include the licenses.', fix));
}

function gone() {
  const sentence = 'This bundle has been replaced by a newer one.';
  return problem('app.save_failed', sentence, 'Create it again, read it, and save that one.');
}
