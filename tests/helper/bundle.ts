import { join } from 'node:path';
import { build } from 'vite';

/** Makes a program that Node can start of a TypeScript file; resolves to its path in `folder`. */
export async function bundle(file: string, folder: string): Promise<string> {
  await build({
    configFile: false,
    logLevel: 'silent',
    ssr: { noExternal: true },
    build: {
      ssr: file,
      outDir: folder,
      emptyOutDir: false,
      rollupOptions: { output: { entryFileNames: 'program.mjs' } },
    },
  });
  return join(folder, 'program.mjs');
}
